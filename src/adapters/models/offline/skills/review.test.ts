import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { tempDir } from "../../../../testing/memory/temp-dir.ts";
import { createOfflineModel } from "../offline-model.ts";
import { type Doubles, play, toolDoubles } from "../tool-doubles-test-kit.ts";

const ask = (prompt: string, doubles: Doubles) => play(createOfflineModel(), prompt, doubles);

describe("the review of a diff", async () => {
  const repository = await tempDir();
  afterAll(() => repository[Symbol.asyncDispose]());
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: repository.path,
      encoding: "utf8",
    });
  const bash = (input: { readonly [key: string]: unknown }): string =>
    `${git(...String(input["command"]).split(" ").slice(1))}[exit code 0]`;
  git("init", "-q");
  writeFileSync(join(repository.path, "a.ts"), "const a = 1;\n");
  git("add", ".");
  git("commit", "-q", "-m", "a");
  const doubles = toolDoubles(repository.path);

  test("says that there is nothing when nothing changed", async () => {
    expect((await ask("review the diff", { ...doubles, Bash: bash })).answer).toContain(
      "There are no uncommitted changes",
    );
  });

  test("names file, line and severity, and that it is mechanical", async () => {
    writeFileSync(join(repository.path, "a.ts"), "const a = 1;\nconsole.log(a);\n");
    writeFileSync(join(repository.path, "new.ts"), "x\n");
    const { answer, calls } = await ask("review the diff", { ...doubles, Bash: bash });
    expect(calls.map((call) => call.input["command"])).toEqual(["git diff HEAD", "git status --short"]);
    expect(answer).toContain("medium: a.ts:2 looks like a debugging aid that was left in");
    expect(answer).toContain("- new.ts");
    expect(answer).toContain("mechanical findings");
  });

  test("passes on which rule would allow it when it is refused, and searches instead", async () => {
    const refusing = (): string => {
      throw new Error(
        "Not run: Bash was refused: nobody is there to ask; the rule Bash(git diff HEAD) would allow it.",
      );
    };
    const { answer } = await ask("review the diff", { ...doubles, Bash: refusing });
    expect(answer).toContain("the rule Bash(git diff HEAD) would allow it");
    expect(answer).toContain("medium: a.ts:2 looks like a debugging aid that was left in");
  });

  test("does without a shell", async () => {
    expect((await ask("review the diff", doubles)).answer).toContain("I have no shell here");
  });

  test("of one file reads that file", async () => {
    expect((await ask("review a.ts", doubles)).answer).toContain("medium: a.ts:2");
  });

  test("reviews the diff that is in the prompt, and asks git for nothing", async () => {
    const diff = [
      "diff --git a/lib/b.ts b/lib/b.ts",
      "--- a/lib/b.ts",
      "+++ b/lib/b.ts",
      "@@ -7,2 +7,3 @@",
      " /* a note",
      "+console.log(1);",
      "+*/ console.log(2);",
    ].join("\n");
    for (const words of ["review this change\n\n", "is this fine?\n\n", ""]) {
      const { answer, calls } = await ask(`${words}${diff}\n`, { ...doubles, Bash: bash });
      expect(calls).toEqual([]);
      expect(answer).toContain("**Review of the given changes**: 1 file, +2 -0. 1 finding: 1 medium.");
      expect(answer).toContain("medium: lib/b.ts:9 looks like a debugging aid");
    }
  });

  test("of a diff that is longer than it looks at says so", async () => {
    const lines = Array.from({ length: 30_000 }, (_, n) => `+const a${n} = ${n};`);
    const diff = `--- a/b.ts\n+++ b/b.ts\n@@ -0,0 +1,30000 @@\n${lines.join("\n")}`;
    expect((await ask(`review this\n\n${diff}`, doubles)).answer).toContain("the diff was cut: not all of it was seen");
  });

  test("of a long file names the lines that were seen, and says nothing of others", async () => {
    const long = Array.from({ length: 3_000 }, (_, n) => (n % 1_000 === 999 ? "debugger;" : `let a${n} = 1;`));
    writeFileSync(join(repository.path, "long.ts"), long.join("\n"));
    const { answer } = await ask("review long.ts", doubles);
    expect(answer).toContain("**Review of long.ts**: only lines 1-2400 seen.");
    expect(answer).toContain("long.ts:2000 ");
    expect(answer).not.toContain("long.ts:3000");
    const cut = (input: { readonly [key: string]: unknown }): string =>
      input["offset"] === undefined
        ? "     1\tdebugger;\n[… 900 bytes left out …]\n   300\tlet z;"
        : "[the file is empty]";
    const holes = await ask("review long.ts", { ...doubles, Read: cut });
    expect(holes.answer).toContain("only lines 1, 300 seen");
  });
});
