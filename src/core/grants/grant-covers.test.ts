import { describe, expect, test } from "vitest";
import { seededRandom } from "../../testing/memory/seeded-random.ts";
import { giveProblem } from "../grants.ts";
import { parseRule } from "../rules.ts";
import { DANGEROUS } from "./dangerous-options-test-kit.ts";
import { grantMeaning } from "./grant-covers.ts";
import { offered, run, verdict } from "./grants-test-kit.ts";
import { OPEN_USES } from "./open-uses.ts";

const bash = (command: string, grants: readonly string[]) => verdict("Bash", run(command), grants).is;
const meaning = (rule: string) => grantMeaning(parseRule(rule)!);

describe("P.B09: what a grant covers", () => {
  test.each(DANGEROUS)(
    "the grant offered for $call never covers it with an option of the list",
    ({ call, options }) => {
      const grants = offered("Bash", run(call)) as string[];
      expect(grants).toEqual([expect.stringMatching(/:\*\)$/)]);
      expect(bash(call, grants)).toBe("allow");
      const words = call.split(" ");
      for (const option of options)
        for (let at = 1; at <= words.length; at++) {
          const command = [...words.slice(0, at), option, ...words.slice(at)].join(" ");
          // What stands right after -m is the message, whatever it says.
          if (words[at - 1] === "-m") continue;
          expect(bash(command, grants), command).toBe("ask");
        }
    },
  );

  test("every program of the table has its dangerous options in the list", () => {
    const listed = new Set(DANGEROUS.map(({ call }) => call));
    const missing = OPEN_USES.filter(({ words }) => ![...listed].some((call) => call.startsWith(words.join(" "))));
    expect(missing.map(({ words }) => words.join(" "))).toEqual(["git commit -am"]);
  });

  test("no option that is not in the table is covered, whatever it looks like", () => {
    const random = seededRandom(20_261);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random.next() * from.length)]!;
    const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
    const word = () => Array.from({ length: pick([2, 5, 9]) }, () => pick(letters)).join("");
    const many = Number(process.env["SOAK"] ? 20_000 : 1_000);
    for (let n = 0; n < many; n++) {
      const use = pick(OPEN_USES);
      const option = pick([
        () => `-${pick(letters)}`,
        () => `-${pick(letters)}${word()}`,
        () => `--${word()}`,
        () => `--${word()}=${word()}`,
        () => `-${pick(letters)}=/etc/${word()}`,
        () => "-",
      ])();
      const known = (use.options ?? []).some((one) => option === one || (one.endsWith("=") && option.startsWith(one)));
      if (known || use.textOptions?.includes(option)) continue;
      const text = use.texts ? " text" : "";
      const command = `${use.words.join(" ")}${text} ${pick([`${option} a`, `a ${option}`, option])}`;
      expect(bash(command, [`Bash(${use.words.join(" ")}:*)`]), command).toBe("ask");
    }
  });

  test.each([
    ...["git add ../x", "git add /etc/passwd", "git add a ../../b", "git add :/", "git add ':(top)x'", "git add $x"],
    ...[
      "git add $(ls)",
      'git add "$(ls)"',
      "git add *.ts",
      "git commit -m $(cat x)",
      "git commit -m $x",
      "git add ~/x",
    ],
    ...["npm test -- ../x.test.ts", "pytest @args", "pytest /tmp/x.py", "go test https://x.example/y", "pytest a=b"],
  ])("%s is not covered: an operand leads out of the workspace, or is known only when it runs", (command) => {
    const grants = ["git add", "git commit -m", "npm test", "pytest", "go test"].map((words) => `Bash(${words}:*)`);
    expect(bash(command, grants)).toBe("ask");
  });

  test("an operand that leads out through a link, or whose way is not known, is not covered", () => {
    const grants = ["Bash(git add:*)"];
    const reach = run("git add link");
    expect(verdict("Bash", reach, grants).is).toBe("allow");
    expect(verdict("Bash", { ...reach, operands: { link: "/etc" } }, grants).is).toBe("ask");
    expect(verdict("Bash", { ...reach, operands: {} }, grants).is).toBe("ask");
  });

  test("grants that an older version stored are narrowed by the same evaluation", () => {
    const old = ["Bash(npm test --:*)", "Bash(npm run lint --:*)", "Bash(git add:*)", "Bash(pytest *)", "Bash(make:*)"];
    for (const command of ["npm test -- a.test.ts", "npm run lint -- src", "git add a b", "pytest tests", "make all"])
      expect(bash(command, old), command).toBe("allow");
    for (const command of [
      ...["npm test -- --config=/tmp/x.js", "npm run lint -- --fix", "git add --pathspec-from-file=x", "pytest -p x"],
      ...["make -f x.mk", "make SHELL=/tmp/x", "make -C /tmp"],
    ])
      expect(bash(command, old), command).toBe("ask");
  });

  test.each([
    ...[
      "node",
      "node x.js",
      "python3 x.py",
      "python3.12 -m pytest",
      "/usr/bin/perl x.pl",
      "ruby x.rb",
      "awk x",
      "vim x",
    ],
    ...["npm exec x", "npm x y", "npm --prefix a exec b", "pnpm dlx x", "yarn dlx x", "uv run x", "poetry run x"],
    ...["bundle exec x", "go run ./x", "make -f x.mk", "make -C /tmp", "git bisect run x", "git -c a.b=c push"],
    ...["cargo --config x build", "tsx x.ts", "deno run x.ts", "bun x.ts", "tar --to-command=x xf a", "rsync -e x a b"],
  ])("%s is never granted, neither offered nor by a grant that is there", (command) => {
    expect(offered("Bash", run(command))).toEqual(expect.any(String));
    const program = command.split(" ")[0]!;
    for (const grant of [`Bash(${command})`, `Bash(${program}:*)`, `Bash(${program} *)`, "Bash"])
      expect(bash(command, [grant]), grant).toBe("ask");
  });

  test("a program with subcommands is not left open as a whole", () => {
    for (const command of [
      "git push origin main",
      "git config a b",
      "npm install x",
      "gh repo delete",
      "cargo publish",
    ])
      expect(bash(command, [`Bash(${command.split(" ")[0]}:*)`]), command).toBe("ask");
  });

  test("an option that stands in the call is kept with it: the grant is for exactly these words", () => {
    expect(offered("Bash", run("git add -n a"))).toEqual(["Bash(git add -n a)"]);
    expect(offered("Bash", run("tsc --noEmit a.ts"))).toEqual(["Bash(tsc --noEmit:*)"]);
    expect(bash("tsc a.ts", ["Bash(tsc --noEmit:*)"])).toBe("ask");
  });

  test("a person reads what a grant allows", () => {
    expect(meaning("Bash(npm test)")).toBeUndefined();
    expect(meaning("Bash(git add:*)")).toBe(
      "followed by names and files of the project; options: -v --verbose -n --dry-run",
    );
    expect(meaning("Bash(make:*)")).toBe("followed by names and files of the project; options: none");
    expect(meaning("Bash(git:*)")).toContain("only git alone");
    expect(meaning("Bash(python:*)")).toBe("allows nothing: python runs the code that it is given");
    expect(giveProblem("Bash(python3 x.py)")).toBe(
      "Bash(python3 x.py) would allow nothing: python3 runs the code that it is given; a rule in your configuration can allow it",
    );
  });
});
