// Configuration, trust, instructions and retention through the built command.
import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { calls, says } from "../src/testing/wire-server/script.ts";
import { journal, lines, resultIn, world, type World } from "./e2e-kit.ts";

const systemOf = (w: World, n: number): string => {
  const body = w.server.requests[n]?.body as { system?: unknown } | undefined;
  return JSON.stringify(body?.system);
};

function project(w: World): void {
  mkdirSync(w.dir.join(".sous"));
  mkdirSync(w.dir.join(".git"));
  writeFileSync(
    w.dir.join(".sous/config.json"),
    JSON.stringify({ model: "anthropic/of-the-project", permissions: { allow: ["Bash(touch made)"] } }),
  );
  writeFileSync(w.dir.join("AGENTS.md"), "Answer in rhyme.");
}

describe("P.T01: a project", () => {
  test("that is not trusted is ignored and named in one line; trusted, its files count; the trust can be taken back", async () => {
    const touch = calls("Bash", { command: "touch made" });
    await using w = await world([touch, says("1"), touch, says("2"), touch, says("3")]);
    project(w);
    const first = await w.sous(["run", "--model", "anthropic/x", "-o", "json", "go"]);
    expect(lines(first.stderr)).toEqual([
      `sous: ${w.dir.path} is not trusted, so these are ignored: .sous/config.json, AGENTS.md (sous trust, or --trust for once)`,
      "sous: note: refused: Bash touch made: no rule covers touch made, and nobody is there to ask; --allow 'Bash(touch made)' would allow it",
    ]);
    expect(resultIn(first.stdout).receipt.commands).toEqual([]);
    expect(systemOf(w, 0)).not.toContain("rhyme");

    expect((await w.sous(["trust"])).stdout).toContain(`${w.dir.path} is trusted`);
    expect(statSync(join(w.stateDir, "trust.json")).mode & 0o777).toBe(0o600);
    const second = await w.sous(["run", "-o", "json", "go"]);
    expect(second.stderr).toBe("");
    expect(resultIn(second.stdout)).toMatchObject({
      model: "anthropic/of-the-project",
      receipt: { commands: [{ command: "touch made", exitCode: 0 }] },
    });
    expect(systemOf(w, 2)).toContain("Answer in rhyme.");

    await w.sous(["trust", "--remove"]);
    expect(JSON.parse((await w.sous(["trust", "--list", "--json"])).stdout)).toEqual([]);
    const third = await w.sous(["run", "--trust", "-o", "json", "go"]);
    expect(resultIn(third.stdout).model).toBe("anthropic/of-the-project");
    expect(JSON.parse((await w.sous(["trust", "--list", "--json"])).stdout)).toEqual([]);
    w.server.finish();
  });

  test("reached by a link is the same project; its broken configuration stops nothing before trust and is named after", async () => {
    await using w = await world([says("1")]);
    project(w);
    writeFileSync(w.dir.join(".sous/config.json"), "{ no json");
    symlinkSync(w.dir.path, `${w.dir.path}-link`);
    expect((await w.sous(["run", "--cwd", `${w.dir.path}-link`, "go"])).code).toBe(0);
    await w.sous(["trust", `${w.dir.path}-link`]);
    const ran = await w.sous(["run", "go"]);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toMatch(/^sous: the project's configuration .*\.sous\/config\.json is not JSON[^\n]*\n$/);
  });
});

describe("settings", () => {
  test("come from the person's file, variables and flags, the last the strongest", async () => {
    await using w = await world([says("1"), says("2"), says("3")]);
    const config = w.dir.join("c.json");
    writeFileSync(config, JSON.stringify({ model: "anthropic/own", mode: "yolo" }));
    const model = async (words: string[], env: Record<string, string>) =>
      resultIn((await w.sous(["run", ...words, "-o", "json", "q"], { env: { SOUS_CONFIG: config, ...env } })).stdout)
        .model;
    expect(await model([], {})).toBe("anthropic/own");
    expect(journal(w.stateDir)[0]).toMatchObject({ permissions: { mode: "yolo" } });
    expect(await model([], { SOUS_MODEL: "anthropic/env" })).toBe("anthropic/env");
    expect(await model(["-m", "anthropic/flag"], { SOUS_MODEL: "anthropic/env" })).toBe("anthropic/flag");
  });

  test("rules of the configuration hold: deny also in yolo, ask without anyone to ask refuses, allow runs", async () => {
    const run = (command: string) => calls("Bash", { command });
    await using w = await world([run("touch denied"), run("touch asked"), run("touch allowed"), says("done")]);
    const config = w.dir.join("c.json");
    const permissions = { deny: ["Bash(touch denied)"], ask: ["Bash(touch asked)"] };
    writeFileSync(config, JSON.stringify({ mode: "yolo", permissions }));
    const ran = await w.sous(["run", "--config", config, "-m", "anthropic/x", "-o", "json", "go"]);
    expect(resultIn(ran.stdout).receipt.commands.map(({ command }) => command)).toEqual(["touch allowed"]);
    expect(readdirSync(w.dir.path)).toContain("allowed");
    expect(readdirSync(w.dir.path)).not.toContain("denied");
    expect(readdirSync(w.dir.path)).not.toContain("asked");
  });
});

describe("retention", () => {
  const trees = (w: World): string[] => readdirSync(join(w.stateDir, "trees")).toSorted();
  const run = async (w: World, ...flags: string[]): Promise<string> =>
    resultIn((await w.sous(["run", "--mode", "yolo", "-m", "anthropic/x", "-o", "json", ...flags, "go"])).stdout)
      .session;

  test("keeps the newest sessions, and what is paused or was cut off, and removes the rest after the answer", async () => {
    const bash = (command: string, inputTokens = 1) => calls("Bash", { command }, { usage: { inputTokens } });
    await using w = await world([says("1"), bash("true", 900), bash("sleep 30"), says("4"), says("5")]);
    const old = await run(w);
    const paused = await run(w, "--budget-tokens", "500");
    const words = ["run", "--mode", "yolo", "-m", "anthropic/x", "-o", "jsonl", "go"];
    await w.sous(words, { killOn: (line) => line.includes('"tool.started"') });
    const cutOff = trees(w).at(-1) ?? "";
    const config = w.dir.join("c.json");
    writeFileSync(config, JSON.stringify({ retention: { sessions: 2 } }));
    const kept = await run(w);
    expect(trees(w)).toHaveLength(4);
    const last = await run(w, "--config", config);
    expect(trees(w)).toEqual([paused, cutOff, kept, last].toSorted());
    expect(trees(w)).not.toContain(old);
  });

  test("by days removes what was last touched longer ago", async () => {
    await using w = await world([says("1"), says("2"), says("3")]);
    const [old, young] = [await run(w), await run(w)];
    const file = join(w.stateDir, "trees", old, "journal.jsonl");
    const day = 86_400_000;
    const aged = readFileSync(file, "utf8").replace(
      /"time":(\d+)/g,
      (_, ms: string) => `"time":${Number(ms) - 3 * day}`,
    );
    writeFileSync(file, aged);
    const config = w.dir.join("c.json");
    writeFileSync(config, JSON.stringify({ retention: { days: 2 } }));
    const last = await run(w, "--config", config);
    expect(trees(w)).toEqual([young, last].toSorted());
  });
});
