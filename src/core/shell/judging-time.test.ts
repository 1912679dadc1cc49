// P.B07: whatever a command is made of, it is judged soon, and judged whole or not at all.
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../testing/memory/seeded-random.ts";
import { judge } from "../permissions.ts";
import { parseRule } from "../rules.ts";
import { readOnlyPart } from "./read-only-part.ts";
import { readShell } from "./read-shell.ts";

const GENERATED = process.env["SOAK"] === "1" ? 3_000 : 150;
const list = (rules: readonly string[]) => rules.map((rule) => parseRule(rule)!);

function verdict(command: string, allow: readonly string[], deny: readonly string[]) {
  const reading = readShell(command);
  reading.parts.forEach(readOnlyPart);
  return judge({
    ...{ tool: "Bash", reach: [{ may: "run", command, reading, reads: [] }], roots: ["/w"], mode: "confirm" },
    ...{ places: { cwd: "/w", home: "/home/me" }, rules: { allow: list(allow), ask: [], deny: list(deny) } },
    ...{ trusted: true, outcomeUnknown: false },
  });
}

/** The fastest of a few tries, in time of the processor: on a busy machine a test can be held up itself. */
function soon(command: string, deny: readonly string[]): { readonly is: string; readonly ms: number } {
  let [is, ms] = ["", Number.POSITIVE_INFINITY];
  for (let round = 0; round < 3 && ms > 150; round++) {
    const began = process.cpuUsage();
    is = verdict(command, ["Bash(echo *)"], deny).is;
    const { user, system } = process.cpuUsage(began);
    ms = Math.min(ms, (user + system) / 1_000);
  }
  return { is, ms };
}

const chain = (count: number, by: string): string => Array.from({ length: count }, () => "echo a").join(by);

describe("P.B07: long commands are judged whole or not allowed, within 200 ms", () => {
  test.each([
    ["a chain of 400", chain(400, " && "), "allow"],
    ["a chain of 400 with one more at its end", `${chain(400, "; ")}; rm x`, "ask"],
    ["a chain of 20,000", chain(20_000, ";"), "unread"],
    ["200 nested substitutions", `${"echo $(".repeat(200)}rm x${")".repeat(200)}`, "unread"],
    ["10,000 open ones", "$(".repeat(10_000), "unread"],
    ["10,000 braces", "{".repeat(10_000), "unread"],
    ["10,000 backticks", "`".repeat(9_999), "unread"],
    ["12,000 braces with commas", "{a,".repeat(12_000), "unread"],
    ["8,000 functions", "f() {".repeat(8_000), "unread"],
    ["a megabyte", "echo ".padEnd(1_000_000, "a"), "unread"],
    ["a long heredoc", `echo <<E\n${"x\n".repeat(20_000)}E`, "allow"],
    ["nested wrappers", `${"nice ".repeat(2_000)}rm x`, "unread"],
    ["find in find", `${"find . -exec ".repeat(30)}rm x`, "unread"],
    ["find in find to the end", `${"find . -exec ".repeat(3_000)}rm x`, "unread"],
    ["sudo in sudo", `${"sudo ".repeat(5_000)}rm x`, "unread"],
    ["env with many options", `env ${"-u A ".repeat(500)}rm x`, "ask"],
    ["a program with 2,000 options", `git ${"-a ".repeat(2_000)}`, "ask"],
    ["a program with 15,000 options", `git ${"-a ".repeat(15_000)}`, "unread"],
    ["a word of 49,000 letters", `echo ${"a".repeat(49_000)}`, "allow"],
    ["a word of 20,000 quotes", `echo ${"'a'".repeat(15_000)}`, "allow"],
    ["a word of 20,000 variables", `echo ${"$a".repeat(20_000)}`, "allow"],
  ])("%s", (_name, command, wanted) => {
    const { is, ms } = soon(command, []);
    expect(ms).toBeLessThan(200);
    expect(is).toBe(wanted === "unread" ? "ask" : wanted);
    const denied = soon(command, ["Bash(dd *)", "Bash(git push *)", "Bash(curl -a b)"]);
    expect(denied.ms).toBeLessThan(200);
    // What asks may be denied, as far as a rule may reach it.
    expect(wanted === "unread" ? ["deny"] : wanted === "ask" ? ["ask", "deny"] : [wanted]).toContain(denied.is);
  });

  test(`${GENERATED} generated out of what takes long`, () => {
    const random = seededRandom(7);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random.next() * from.length)]!;
    const wraps = [
      ...["find . -exec ", "sudo ", "env A=b ", "env ", "xargs ", "nice ", "timeout 5 ", "ssh h ", "watch ", "exec "],
      ...["npx -y ", "echo $(", "echo `", "sh -c '", 'bash -c "', "eval ", "! ", "{ ", "( ", "if ", "case a in a) "],
      ...[
        "f() { ",
        "${x:-",
        "$((",
        "[[ ",
        "<(",
        "cat <<E\n",
        "a=(",
        "for f in ",
        "while ",
        "trap '",
        "\\\n",
        "a b c d e ",
      ],
    ];
    const slow: string[] = [];
    for (let n = 0; n < GENERATED; n++) {
      const some = Array.from({ length: pick([1, 2, 3]) }, () => pick(wraps));
      const command = Array.from({ length: pick([10, 100, 1_000, 5_000]) }, () => pick(some)).join("") + "rm x";
      if (soon(command, ["Bash(dd *)", "Bash(git push *)"]).ms >= 200) slow.push(command.slice(0, 200));
    }
    expect(slow).toEqual([]);
  });

  // A pattern that tries again from every place takes seconds for one of these, and the engine waits for it.
  test("every sign, and every two of them, repeated to 50 KB at the places where words are looked at", () => {
    const signs = [..." \t\n;&|<>(){}[],.:=~!?*+-/\\'\"`$#%@^_a0"];
    const begins = [
      "echo ",
      "echo {{{{{{{{{{",
      "a=",
      "a[",
      "echo $((",
      "sudo ",
      "bash -",
      "cat -1",
      "git log --format=",
    ];
    const ends = ["", "}", ";", "!", "x", "/", '"))', "]=~"];
    const fill = (unit: string): string => unit.repeat(Math.floor(49_900 / unit.length));
    const random = seededRandom(11);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random.next() * from.length)]!;
    const pairs = Array.from(
      { length: GENERATED / 3 },
      () => [pick(signs) + pick(signs), pick(begins), pick(ends)] as const,
    );
    const single = signs.map((sign) => [sign, pick(begins), pick(ends)] as const);
    const known = [
      [",", "echo {{{{{{{{{{", ""],
      ["\n", "ls", ";"],
      ["$ab", "echo $((", '"))'],
      ["]=", "a[", ""],
      ["a", "sudo ", "!"],
      ["c", "bash -", "!"],
      ["1", "cat -", "x"],
      ["1", "", "x"],
    ] as const;
    const slow: string[] = [];
    for (const [unit, begin, end] of [...known, ...single, ...pairs]) {
      const { ms } = soon(`${begin}${fill(unit)}`.slice(0, 49_980) + end, ["Bash(dd *)", "Bash(git push *)"]);
      if (ms >= 200) slow.push(`${begin}${unit}…${end}: ${Math.round(ms)} ms`);
    }
    expect(slow).toEqual([]);
  });
});
