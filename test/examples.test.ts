// Every example, run as it is written: with the built library, in a home of its own.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runProcess } from "../src/testing/memory/run-process.ts";
import { tempDir } from "../src/testing/memory/temp-dir.ts";
import { root } from "./checkout.ts";

const folder = join(root, "examples");

/** What each one prints; an example without an entry fails. */
const printed: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  "01-child.ts": [/^Explore succeeded after [1-9]\d* tool calls$/m, "src/library/create-host.ts"],
  "02-parallel-children.ts": [
    "ROOT::S1 starts: Count the examples",
    "ROOT::S2 starts: Find the licence",
    "ROOT::S1 calls Glob",
    "ROOT::S2 calls Read",
    "ROOT::S1 succeeded - There are six.",
    "ROOT::S2 succeeded - It is MIT.",
    /Six examples, MIT licence\.\n$/,
  ],
  "03-own-tool-and-agent.ts": ["ROOT asks for whisks\ntrue Three whisks are left.\n"],
  "04-structured-output.ts": [/^Market 12\.50\n$/],
  "05-approvals.ts": [
    "ROOT wants Write notes.md (the mode is confirm): yes\n",
    "ROOT wants Write .env (the mode is confirm): no\n",
    "[ 'notes.md' ]\n",
  ],
  "06-hooks.ts": ["ROOT::S1 is about to run rm -r build\nBash ended: succeeded\nThe build stays.\n"],
};

describe("examples", () => {
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".ts")))
    test(`E7: ${name} runs as it is and prints what it says`, async () => {
      await using home = await tempDir();
      const env = { HOME: home.path, SOUS_STATE_DIR: home.join("state"), NODE_NO_WARNINGS: "1" };
      const ended = await runProcess([process.execPath, join(folder, name)], { cwd: home.path, env });
      expect(ended).toMatchObject({ code: 0, stderr: "" });
      expect(printed[name], `${name} has no entry here`).toBeDefined();
      for (const words of printed[name] ?? []) expect(ended.stdout).toMatch(words);
    });

  test("E7: npm run example lists them, runs one by the start of its name, and says when there is none", async () => {
    await using home = await tempDir();
    const env = { HOME: home.path, SOUS_STATE_DIR: home.join("state") };
    const example = (...words: string[]) =>
      runProcess([process.execPath, join(root, "scripts", "example.mjs"), ...words], { cwd: home.path, env });
    const listed = await example();
    expect([listed.code, listed.stdout.trim().split("\n").length]).toEqual([0, Object.keys(printed).length]);
    expect(listed.stdout).toMatch(/^npm run example -- 01-child +One agent in ten lines/);
    const ran = await example("04");
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: "Market 12.50\n", stderr: "" });
    const none = await example("99");
    expect([none.code, none.stderr.split("\n")[0]]).toEqual([2, 'there is no example "99"; these are there:']);
  });

  test("E7: the first one is ten lines long, comment and all", () => {
    const lines = readFileSync(join(folder, "01-child.ts"), "utf8").trim().split("\n");
    expect(lines.filter((line) => line !== "" && !line.startsWith("//")).length).toBeLessThanOrEqual(10);
  });
});
