// The embedded model through the real program: no key, empty home, this very repository.
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { resultIn, world } from "./e2e-kit.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));

describe("with no key", () => {
  test("the offline model answers from the files, names the real function, and the receipt lists its searches and reads", async () => {
    await using w = await world([]);
    mkdirSync(w.dir.join("home"));
    cpSync(`${repository}/src`, w.dir.join("copy/src"), { recursive: true });
    const env = { ...Object.fromEntries(Object.keys(w.server.env).map((name) => [name, undefined])), HOME: w.dir.join("home") };
    const ask = () =>
      w.sous(["run", "which function writes an event to the journal?", "--output", "json"], { env, cwd: w.dir.join("copy") });
    const ran = await ask();
    const result = resultIn(ran.stdout);
    expect(result, ran.stderr).toMatchObject({ status: "succeeded", model: "offline/rules", usage: { tree: { costUsd: 0 } } });
    expect(result.output).toMatch(/offline model: rules, no language model/);
    const [, file] = /in (src\/[\w/.-]+\.ts):\d+/.exec(result.output) ?? [];
    const [, name] = /\*\*`[\w#.]*?(\w+)`\*\*/.exec(result.output) ?? [];
    expect(file).toMatch(/^src\/adapters\/log\//);
    expect(readFileSync(w.dir.join("copy", file!), "utf8")).toMatch(new RegExp(`\\b${name}\\b[^\\n]*\\(`));
    expect(result.receipt.toolCalls["Grep"]).toBeGreaterThan(0);
    expect(result.receipt.reads.some((path) => path.endsWith(file!))).toBe(true);
    expect(w.server.count).toBe(0);
    expect(resultIn((await ask()).stdout).output).toBe(result.output);
    expect(existsSync(w.stateDir)).toBe(true);
  });

  test("--model offline is used also when a key is there", async () => {
    await using w = await world([]);
    const ran = await w.sous(["run", "--model", "offline", "list TODOs", "-o", "json"]);
    expect(resultIn(ran.stdout)).toMatchObject({ status: "succeeded", model: "offline/rules" });
    expect(w.server.count).toBe(0);
  });
});
