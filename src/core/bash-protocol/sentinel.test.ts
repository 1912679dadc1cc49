import { describe, expect, test } from "vitest";
import { FINAL, SPAWN, meaningOf, nearMiss, sentinelOf } from "./sentinel.ts";

describe("A2, A4: which commands are one of the two echoes", () => {
  const echoes: [command: string, is: "spawn" | "final", literal: boolean][] = [
    [`echo "${SPAWN}::reviewer\nReview a.ts"`, "spawn", true],
    [`echo '${SPAWN}::reviewer\nReview "a.ts" for $5'`, "spawn", true],
    [`  echo \t'${SPAWN}::reviewer\nIt'\\''s here'\n`, "spawn", true],
    [`echo "${SPAWN}::reviewer\nSay \\"hi\\" and \\$5"`, "spawn", true],
    [`echo "${SPAWN}::reviewer\nReview $(git diff)"`, "spawn", false],
    [`echo "${SPAWN}::reviewer\nReview \`a.ts\`"`, "spawn", false],
    [`echo "${SPAWN}::reviewer\n\${X}"`, "spawn", false],
    [`echo "${SPAWN}\nno name"`, "spawn", true],
    [`echo ${SPAWN}::reviewer`, "spawn", true],
    [`echo "${FINAL}\nline 1\nline 2"`, "final", true],
    [`echo ${FINAL}`, "final", true],
  ];
  test.each(echoes)("%j is", (command, is, literal) => {
    expect(sentinelOf(command)).toEqual({ is, literal });
    expect(nearMiss(command.replace("echo", "cat"), "")).toBeUndefined();
  });

  const misses: [command: string, note: RegExp][] = [
    [`cd x && echo "${SPAWN}::a\nt"`, /nothing before or after/],
    [`echo "${SPAWN}::a\nt"; ls`, /nothing before or after/],
    [`echo "${SPAWN}::a\nt" | cat`, /nothing before or after/],
    [`echo "${SPAWN}::a\nt" > f`, /nothing before or after/],
    [`echo "${SPAWN}::a\nt" "more"`, /nothing before or after/],
    [`echo '${SPAWN}::a\nit's'`, /nothing before or after/],
    [`# start one\necho "${SPAWN}::a\nt"`, /nothing before or after/],
    [`echo -e "${FINAL}\\nt"`, /without options/],
    [`printf "${SPAWN}::a\\nt"`, /not printf/],
    [`printf '%s' x; echo "${FINAL}\nt"`, /Nothing was ended/],
    [`echo "${FINAL} all done"`, /first line is only/],
    [`echo "${SPAWN}::a\nt`, /nothing before or after/],
  ];
  test.each(misses)("%j is not, and a note says why", (command, note) => {
    expect(sentinelOf(command)).toBeUndefined();
    expect(nearMiss(command, "")).toMatch(note);
  });

  const others = [
    "ls",
    `grep -rn ${SPAWN} docs`,
    "cat docs/protocol-bash.md",
    `echo "see ${FINAL}"`,
    `echo "${FINAL}S\nx"`,
  ];
  test.each(others)("%j is not, and needs no note", (command) => {
    expect(sentinelOf(command)).toBeUndefined();
    expect(nearMiss(command, "docs/a.md: some text")).toBeUndefined();
  });

  test("a cat that prints the word first only gets a note when the command names it too", () => {
    expect(nearMiss("cat notes", `${FINAL}\nx`)).toBeUndefined();
    expect(nearMiss(`cat <<E\n${FINAL}\nx\nE`, `${FINAL}\nx`)).toMatch(/only shows the word/);
  });
});

describe("what such an echo printed decides", () => {
  const spawn = { is: "spawn", literal: true } as const;
  const final = { is: "final", literal: true } as const;

  test("A2: the name stands on the first line, the task on the others", () => {
    expect(meaningOf(spawn, `${SPAWN}::reviewer\nReview\n\na.ts\n`)).toEqual({
      is: "spawn",
      agent: "reviewer",
      task: "Review\n\na.ts",
    });
  });
  test("A3: a spawn without a name has an empty one", () => {
    for (const first of [SPAWN, `${SPAWN}::`, `${SPAWN}::  `])
      expect(meaningOf(spawn, `${first}\nwork\n`)).toEqual({ is: "spawn", agent: "", task: "work" });
  });
  test("A4: the lines after the word are the result", () => {
    expect(meaningOf(final, `${FINAL}\none\n two \n\n`)).toEqual({ is: "final", output: "one\n two \n" });
    expect(meaningOf(final, `${FINAL}\n`)).toEqual({ is: "final", output: "" });
  });
  test("an output that begins with anything else means nothing", () => {
    expect(meaningOf(spawn, `bash: a.ts: not found\n${SPAWN}::reviewer\nx\n`)).toMatchObject({ is: "nothing" });
    expect(meaningOf(final, `${FINAL}X\nx`)).toMatchObject({ is: "nothing" });
    expect(meaningOf(final, "")).toMatchObject({ is: "nothing" });
  });
});
