// Help as people read it on a terminal.
import { expect, test } from "vitest";
import { runProcess } from "../src/testing/memory/run-process.ts";
import { commands } from "../src/surfaces/cli/commands.ts";
import { sousArgv } from "./e2e-kit.ts";

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
