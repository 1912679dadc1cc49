import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readOnlyPart } from "../../../../core/shell/read-only-part.ts";
import { readShell } from "../../../../core/shell/read-shell.ts";
import { tempDir } from "../../../../testing/memory/temp-dir.ts";
import { historyIn } from "../history-question.ts";
import { createOfflineModel } from "../offline-model.ts";
import { play, toolDoubles } from "../tool-doubles-test-kit.ts";

describe("questions about the past are answered from git", async () => {
  const repository = await tempDir();
  const bare = await tempDir();
  afterAll(async () => {
    await repository[Symbol.asyncDispose]();
    await bare[Symbol.asyncDispose]();
  });
  const run = (command: string, cwd = repository.path): string =>
    execFileSync("bash", ["-c", command], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const commit = (file: string, text: string, author: string, date: string, title: string): void => {
    writeFileSync(join(repository.path, file), text);
    run(
      `git add . && GIT_AUTHOR_NAME=${author} GIT_AUTHOR_DATE=${date}T12:00:00Z GIT_COMMITTER_DATE=${date}T12:00:00Z git commit -q -m "${title}"`,
    );
  };
  run("git init -q");
  commit("basket.ts", "export const a = 1;\n", "Ann", "2024-01-05", "A basket");
  commit("basket.ts", "export const a = 1;\nexport const maxItems = 9;\n", "Bob", "2024-03-07", "Not too many items");
  commit("price.ts", "export const p = 2;\n", "Ann", "2024-04-01", "Prices");
  const doubles = toolDoubles(repository.path);
  const ask = (prompt: string, cwd = repository.path) =>
    play(createOfflineModel(), prompt, {
      ...doubles,
      Bash: (input) => `${run(String(input["command"]), cwd)}[exit code 0]`,
    });

  const cases: readonly (readonly [string, RegExp])[] = [
    [
      "who changed basket.ts?",
      /2 commits that changed `basket\.ts`, by Ann \(1\), Bob \(1\)\. The last is \w+ by Bob on 2024-03-07/,
    ],
    ["when was maxItems added?", /`maxItems` first appears in commit \w+ by Bob on 2024-03-07: "Not too many items"/],
    ["when was basket.ts created?", /`basket\.ts` begins with commit \w+ by Ann on 2024-01-05: "A basket"/],
    ["who wrote the basket?", /begins with commit \w+ by Ann on 2024-01-05[\s\S]*I took "basket" to mean this file/],
    [
      "what changed since 2024-03-01?",
      /2 commits since 2024-03-01, by Ann \(1\), Bob \(1\)[\s\S]*- price\.ts \(1 commit\)/,
    ],
    ["what changed last week?", /Git knows no commit since 1 week in this folder/],
    ["show me the last commits", /3 commits, by Ann \(2\), Bob \(1\)\. The last is \w+ by Ann on 2024-04-01: "Prices"/],
  ];
  test.each(cases)("%s", async (question, says) => {
    expect((await ask(question)).answer).toMatch(says);
  });

  test("without git, a shell or the right, it says so", async () => {
    const failing = (said: string) => ({
      ...doubles,
      Bash: (): string => {
        throw new Error(said);
      },
    });
    const told = async (tools: typeof doubles) =>
      (await play(createOfflineModel(), "who changed basket.ts?", tools)).answer;
    expect(await told(failing("fatal: not a git repository (or any of the parent directories): .git"))).toContain(
      "not in a git repository",
    );
    expect(await told(failing("Not run: Bash was refused: no rule covers it"))).toContain("it was not allowed");
    expect(await told(doubles)).toContain("I have no shell here");
  });

  test("whatever is asked, only one command runs, and it only reads", async () => {
    const odd = [
      "$(touch x)",
      "`touch x`",
      "a;touch x",
      "--output=x",
      "-S",
      "a b",
      "x|y",
      "../..",
      "'a'",
      "A_b$c",
      "src/a.ts",
      "a\nb",
    ];
    for (const asks of ["who changed", "when was", "what changed since", "history of", "show me the last commits of"])
      for (const word of odd) {
        const commands: string[] = [];
        const noted = {
          ...doubles,
          Bash: (input: { readonly [key: string]: unknown }) => (commands.push(String(input["command"])), ""),
        };
        await play(createOfflineModel(), `${asks} ${word} added?`, noted);
        for (const command of commands) {
          if (command.startsWith("git diff")) continue;
          const read = readShell(command);
          const parts = "parts" in read ? read.parts : [];
          expect(parts.length, command).toBe(1);
          expect(
            parts.every((part) => readOnlyPart(part) !== undefined),
            command,
          ).toBe(true);
        }
      }
  });
});

test("questions about what the code does are none about its past", () => {
  for (const said of [
    "when is a file deleted?",
    "who calls openTree?",
    "where is the commit log written?",
    "which function adds an item?",
    "what changes the mode?",
    "review my changes",
  ])
    expect(historyIn(said), said).toBeUndefined();
});
