// Help as people read it on a terminal.
import { expect, test } from "vitest";
import { runProcess } from "../src/testing/memory/run-process.ts";
import { commands } from "../src/surfaces/cli/commands.ts";
import { sousArgv } from "./e2e-kit.ts";
import { tempDir } from "../src/testing/memory/temp-dir.ts";

const help = async (...words: string[]): Promise<string> => (await runProcess(sousArgv(...words, "--help"), {})).stdout;

test("no line of any help is wider than 120 columns", async () => {
  const texts = await Promise.all([help(), ...Object.keys(commands).map((name) => help(name))]);
  expect(texts.filter((text) => text.length < 60)).toEqual([]);
  expect(texts.flatMap((text) => text.split("\n").filter((line) => line.length > 120))).toEqual([]);
}, 60_000);

test("flags say what they take; resume and --plain send to the flags of run instead of repeating them", async () => {
  const run = await help("run");
  expect(run).toMatch(/--effort LEVEL +.*none, minimal, low, medium, high or max/);
  expect(run).toMatch(/--mode MODE [^]*human: you type/);
  for (const name of ["resume", "--plain"]) {
    const text = await help(name);
    expect(text).toContain("see sous run --help");
    expect(text).not.toContain("--budget-usd");
  }
}, 30_000);

test("every command and verb that takes so many words refuses one more: in one line, with exit code 2", async () => {
  await using dir = await tempDir();
  const verbs = Object.entries(commands).flatMap(([name, { most, verbs: all = [] }]) => {
    if (typeof most === "number") return [{ words: [name], most }];
    // A verb that is not in the table would be refused nothing.
    expect(Object.keys(most).toSorted(), name).toEqual(all.toSorted());
    return Object.entries(most).map(([verb, after]) => ({ words: [name, verb], most: after }));
  });
  const limited = verbs.filter(({ most }) => most < Infinity);
  expect(limited.length).toBeGreaterThan(15);
  const env = { SOUS_STATE_DIR: dir.join("state"), SOUS_RUN: "" };
  for (const { words, most } of limited) {
    const given = [...words, ...Array.from({ length: most + 1 }, (_, n) => `word${n}`)];
    const { code, stdout, stderr } = await runProcess(sousArgv(...given), { cwd: dir.path, env });
    expect({ code, stdout }, given.join(" ")).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(new RegExp(`^sous: sous ${words.join(" ")} takes [^\\n]*; got "word${most}"[^\\n]*\\n$`));
  }
}, 60_000);
