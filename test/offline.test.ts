// The embedded model through the real program: no key, empty home, this very repository.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { journal, resultIn, world } from "./e2e-kit.ts";

const repository = fileURLToPath(new URL("..", import.meta.url));

describe("with no key", () => {
  test("the offline model answers from the files, names the real function, and the receipt lists its searches and reads", async () => {
    await using w = await world([]);
    mkdirSync(w.dir.join("home"));
    cpSync(`${repository}/src`, w.dir.join("copy/src"), { recursive: true });
    const env = {
      ...Object.fromEntries(Object.keys(w.server.env).map((name) => [name, undefined])),
      HOME: w.dir.join("home"),
    };
    const ask = () =>
      w.sous(["run", "which function writes an event to the journal?", "--output", "json"], {
        env,
        cwd: w.dir.join("copy"),
      });
    const ran = await ask();
    const result = resultIn(ran.stdout);
    expect(result, ran.stderr).toMatchObject({
      status: "succeeded",
      model: "offline/rules",
      usage: { tree: { costUsd: 0 } },
    });
    expect(result.output).toMatch(/offline model: rules, no language model/);
    const [, file] = /in (src\/[\w/.-]+\.ts):\d+/.exec(result.output) ?? [];
    const [, name] = /`[\w#.]*?(\w+)` \((?:function|method)\)/.exec(result.output) ?? [];
    expect(file).toMatch(/^src\/adapters\/log\//);
    expect(readFileSync(w.dir.join("copy", file!), "utf8")).toMatch(new RegExp(`\\b${name}\\b[^\\n]*\\(`));
    expect(result.receipt.toolCalls["Grep"]).toBeGreaterThan(0);
    expect(result.receipt.reads.some((path) => path.endsWith(file!))).toBe(true);
    expect(w.server.count).toBe(0);
    expect(resultIn((await ask()).stdout).output).toBe(result.output);
    expect(existsSync(w.stateDir)).toBe(true);
  });

  test("with no arguments and no terminal a tour shows a lead with three children at work side by side", async () => {
    await using w = await world([]);
    cpSync(`${repository}/src/std`, w.dir.join("copy/src"), { recursive: true });
    const env = {
      ...Object.fromEntries(Object.keys(w.server.env).map((name) => [name, undefined])),
      HOME: w.dir.join("home"),
    };
    const ran = await w.sous([], { env, cwd: w.dir.join("copy") });
    expect(ran.code, ran.stderr).toBe(0);
    for (const agent of ["CodeSearch", "CodeReview", "Planner"])
      expect(ran.stdout).toContain(`### ${agent}\n[child ROOT::S`);
    const events = journal(w.stateDir);
    const began = events.filter((event) => event.type === "child.started").map((event) => event.seq);
    const firstEnd = events.find((event) => event.type === "child.ended")!.seq;
    expect(began).toHaveLength(3);
    expect(Math.max(...began)).toBeLessThan(firstEnd);
    expect(ran.stdout.split("I am Sous's built-in offline model")).toHaveLength(2);
  });

  test("a piped diff is what is reviewed; history comes from git; the guide runs although it asks for haiku", async () => {
    await using w = await world([]);
    const git = (...args: string[]): string =>
      execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=a@b", ...args], {
        cwd: w.dir.path,
        encoding: "utf8",
      });
    git("init", "-q");
    writeFileSync(w.dir.join("shop.ts"), "export const price = 1;\n");
    git("add", "shop.ts");
    git("commit", "-q", "-m", "A shop");
    writeFileSync(w.dir.join("shop.ts"), "export const price = 1;\nconsole.log(price);\n");
    const ask = async (words: readonly string[], stdin?: string) => {
      const ran = await w.sous(
        ["run", "--model", "offline", "-o", "json", ...words],
        stdin === undefined ? {} : { stdin },
      );
      return { ...resultIn(ran.stdout), stderr: ran.stderr };
    };
    const review = await ask(["review this change"], git("diff"));
    expect(review.output).toContain("**Review of the given changes**: 1 file, +1 -0.");
    expect(review.output).toContain("shop.ts:2 looks like a debugging aid");
    expect(review.toolCalls).toBe(0);
    const who = await ask(["--allow", "Bash(git log:*)", "who changed shop.ts?"]);
    expect(who.output).toMatch(
      /1 commit that changed `shop\.ts`, by \w+ \(1\)\. The last is [0-9a-f]+ by \w+ on [\d-]+: "A shop"\./,
    );
    const guide = await ask(["--agent", "guide", "what does --max-turns do?"]);
    expect(guide.output).toContain("From docs/running.md:");
    expect(guide).toMatchObject({ status: "succeeded", model: "offline/rules", stderr: "" });
  });

  test("--model offline is used also when a key is there", async () => {
    await using w = await world([]);
    const ran = await w.sous(["run", "--model", "offline", "list TODOs", "-o", "json"]);
    expect(resultIn(ran.stdout)).toMatchObject({ status: "succeeded", model: "offline/rules" });
    expect(w.server.count).toBe(0);
  });
});
