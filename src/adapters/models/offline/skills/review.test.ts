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
    expect(answer).toContain("medium: a.ts:2 a debugging aid was left in");
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
    expect(answer).toContain("medium: a.ts:2 a debugging aid was left in");
  });

  test("does without a shell", async () => {
    expect((await ask("review the diff", doubles)).answer).toContain("I have no shell here");
  });

  test("of one file reads that file", async () => {
    expect((await ask("review a.ts", doubles)).answer).toContain("medium: a.ts:2");
  });
});
