// What models, tools and people name and say, through every command that shows it: no control sequence, no secret.
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { call, calls, callsAll, says } from "../src/testing/wire-server/script.ts";
import { world, type World } from "./e2e-kit.ts";

const TOKEN = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
const KNOWN = "canary-known-value-77";
const EVIL = `\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e\u2028\u0090q `;
/** Control characters but for the line's end and tab, C1, and what turns or hides text. */
const OBEYED = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2028\u2029\u2066-\u2069]/u;
const named = (text: string): string => `${text}${EVIL}${TOKEN}${EVIL}${KNOWN}`;

async function hostile(): Promise<World> {
  const w = await world([
    callsAll(
      call(named("Tool"), { [named("field")]: named("value"), command: named("echo") }),
      call("Bash", { command: `echo '${TOKEN} ${KNOWN}'; cat evil` }),
    ),
    calls("Read", { file_path: named("path/") }),
    says(named("Done."), { deltas: 30, thinks: named("thought") }),
  ]);
  writeFileSync(w.dir.join("evil"), named("output"));
  return w;
}

const filesWith = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && readFileSync(path, "latin1").includes(text));

describe("P.U01, P.X02: names and texts of a hostile model", () => {
  test("reach no terminal, file or program with a control sequence or a secret in them", async () => {
    await using w = await hostile();
    const env = { OPENAI_API_KEY: KNOWN };
    const sous = (...words: string[]) => w.sous(words, { env });
    const outputs = [await sous("run", "--mode", "yolo", "-m", "anthropic/x", "-o", "jsonl", named("go"))];
    expect(outputs[0]?.code, outputs[0]?.stderr).toBe(0);
    // The run itself is not disturbed: the model is sent what it and the tools said.
    expect(JSON.stringify(w.server.requests.at(-1)?.body)).toContain(TOKEN);
    for (const words of [
      ["sessions", "list"],
      ["sessions", "list", "--json"],
      ["sessions", "show", "last"],
      ["sessions", "show", "last", "--json"],
      ["sessions", "tree", "last"],
      ["sessions", "search", "tool"],
      ["sessions", "search", "e", "--json"],
      ...["md", "jsonl", "atif"].map((form) => ["sessions", "export", "last", "--format", form]),
      ["ps", "--all"],
      ["ps", "--all", "--json"],
      ["output", "last"],
      ["output", "last", "--json"],
      ["inbox", "--all"],
      ["inbox", "--all", "--json"],
      ["send", named("nobody"), "x"],
      ["sessions", "show", named("nothing")],
      [named("command")],
    ]) {
      const said = await sous(...words);
      outputs.push({ ...said, stdout: `${words.slice(0, 3).join(" ")}\n${said.stdout}`.replace(named(""), "") });
    }
    for (const { stdout, stderr } of outputs) {
      const head = stdout.slice(0, 60);
      expect(OBEYED.exec(stdout)?.[0], head).toBeUndefined();
      expect(OBEYED.exec(stderr)?.[0], head).toBeUndefined();
      for (const secret of [TOKEN]) expect(`${stdout}${stderr}`, head).not.toContain(secret);
      expect(stdout, head).not.toContain(KNOWN);
    }
    for (const secret of [TOKEN, KNOWN]) expect(filesWith(w.stateDir, secret)).toEqual([]);
  });
});

test("P.U01, P.X02: files of a hostile project reach no terminal with a control sequence or a secret in them", async () => {
  await using w = await world([]);
  mkdirSync(w.dir.join(".git"));
  mkdirSync(w.dir.join(".sous/agents"), { recursive: true });
  const json = JSON.stringify(named("text")).slice(1, -1);
  writeFileSync(w.dir.join(".sous/agents/good.md"), `---\nname: good\ndescription: "${json}"\n---\n${named("body")}\n`);
  writeFileSync(w.dir.join(`.sous/agents/odd${EVIL}.md`), `---\nname: [${named("odd")}\n---\n`);
  writeFileSync(w.dir.join("AGENTS.md"), `@missing${EVIL}.md ${named("text")}\n`);
  writeFileSync(w.dir.join("README.md"), `# ${named("title")}\n`);
  writeFileSync(w.dir.join(`${EVIL}${TOKEN}.ts`), `// ${named("comment")}\n`);
  writeFileSync(w.dir.join("package.json"), JSON.stringify({ name: named("package"), description: named("d") }));
  const look = async (...words: string[]) => {
    const { stdout, stderr } = await w.sous(words, { env: { OPENAI_API_KEY: KNOWN } });
    expect(OBEYED.exec(stdout + stderr)?.[0], `${words.join(" ")}: ${JSON.stringify(stdout + stderr)}`).toBeUndefined();
    return stdout + stderr;
  };
  await look("tour");
  await look("trust", "--yes");
  for (const words of [
    ["tour"],
    ["doctor"],
    ["doctor", "--json"],
    ["agents", "list"],
    ["agents", "list", "--json"],
    ["agents", "show", "good"],
    ["agents", "show", "good", "--json"],
    ["agents", "check"],
  ]) {
    const shown = await look(...words);
    expect(shown, words.join(" ")).not.toContain(TOKEN);
    expect(shown, words.join(" ")).not.toContain(KNOWN);
  }
});

test("an error never repeats kilobytes of what was wrong, and still says what to do", async () => {
  await using w = await world([]);
  const long = "x".repeat(50_000);
  for (const words of [
    [long],
    [`a ${long}`],
    ["run", `--${long}`],
    ["run", "--mode", long, "hi"],
    ["run", "--model", long, "hi"],
    ["run", "--agent", long, "hi"],
    ["run", "--allow", `${long}(`, "hi"],
    ["run", "--agents", `{"${long}": 1}`, "hi"],
    ["run", "--resume", long],
    ["run", "--cwd", `/${long.slice(0, 20_000)}`, "hi"],
    ["sessions", long],
    ["sessions", "show", long],
    ["sessions", "show", `last/${long}`],
    ["sessions", "export", long, "--format", long],
    ["send", long, "x"],
    ["stop", long],
    ["resume", long],
    ["mode", long, "yolo"],
    ["inbox", "answer", long, "y"],
    ["agents", "show", long],
    ["agents", "check", long],
    ["changes", "show", long],
    ["permissions", long],
    ["trust", long],
  ]) {
    const { stderr, code } = await w.sous(words);
    const name = words.map((word) => word.slice(0, 12)).join(" ");
    expect(code, name).not.toBe(0);
    expect(stderr.length, name).toBeLessThan(2_000);
    expect(stderr.length, name).toBeGreaterThan(10);
  }
});
