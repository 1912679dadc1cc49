// Many runs of one host on one provider: shared cooldown, one refresh of a key, faults with their remedies.
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createHost } from "../src/host/host.ts";
import type { RunResult } from "../src/core/run-result.ts";
import {
  calls,
  cut,
  fails,
  html,
  redirects,
  resets,
  responder,
  says,
  streamError,
} from "../src/testing/wire-server/script.ts";
import { startWireServer } from "../src/testing/wire-server/start-wire-server.ts";
import { tempDir } from "../src/testing/memory/temp-dir.ts";
import { journal, lines, resultIn, world } from "./e2e-kit.ts";

const nothing = { limits: {}, budget: {}, rules: { allow: [], ask: [], deny: [] }, addDirs: [], trigger: "test" };

describe("twenty runs on one provider", () => {
  test("P.L01, X13: one Retry-After is kept by all, they come back spread in time, and all finish", async () => {
    let limited = 0;
    await using server = await startWireServer(
      responder(() => (limited++ < 20 ? fails(429, { headers: { "retry-after": "2" } }) : says("done"))),
    );
    await using dir = await tempDir();
    const host = createHost({ env: { ...server.env, HOME: dir.path }, version: "0", stateDir: dir.join("state") });
    const runs = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        host.run({ ...nothing, cwd: dir.path, model: "anthropic/x", prompt: `run ${n}` }),
      ),
    );
    const results = await Promise.all(runs.map((run) => run.result));
    expect(results.map((result) => result.status)).toEqual(results.map(() => "succeeded"));
    const refused = server.requests.slice(0, 20);
    const again = server.requests
      .slice(20)
      .map((request) => request.at)
      .sort((a, b) => a - b);
    expect(again).toHaveLength(20);
    expect(again[0]! - refused[0]!.at).toBeGreaterThanOrEqual(2_000);
    const gaps = again.slice(1).map((at, n) => at - again[n]!);
    expect(
      gaps.filter((gap) => gap < 10),
      `gaps: ${gaps.map((gap) => gap.toFixed(0)).join(" ")}`,
    ).toEqual([]);
    expect(again.at(-1)! - again[0]!).toBeGreaterThan(19 * 10);
  });

  test("P.L08: a key from a command that expires is refreshed once for all, and the others wait", async () => {
    const valid = (headers: Readonly<Record<string, string>>): boolean => headers["x-api-key"] === "key-2";
    await using server = await startWireServer(
      responder((request) => (valid(request.headers) ? says("done") : fails("auth"))),
    );
    await using dir = await tempDir();
    const counter = dir.join("count");
    writeFileSync(counter, "");
    writeFileSync(
      dir.join("config.json"),
      JSON.stringify({
        providers: {
          anthropic: {
            api: "anthropic",
            baseUrl: server.url,
            apiKeyCommand: `printf x >> ${counter}; echo key-$(wc -c < ${counter})`,
          },
        },
      }),
    );
    const host = createHost({
      env: { HOME: dir.path, PATH: process.env["PATH"] },
      version: "0",
      stateDir: dir.join("state"),
      configFile: dir.join("config.json"),
    });
    const runs = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        host.run({ ...nothing, cwd: dir.path, model: "anthropic/x", prompt: `run ${n}` }),
      ),
    );
    const results: RunResult[] = await Promise.all(runs.map((run) => run.result));
    expect(results.map((result) => result.status)).toEqual(results.map(() => "succeeded"));
    expect(readFileSync(counter, "utf8")).toBe("xx");
  });
});

describe("faults through the whole program", () => {
  test.each([
    [401, /ANTHROPIC_API_KEY/],
    [403, /ANTHROPIC_API_KEY|allowed/],
    [404, /model/],
    [413, /./],
    ["spend", /credit|billing|plan|money|quota/i],
  ] as const)("P.L02: %s is not tried again, and cause and remedy are named once", async (what, remedy) => {
    await using w = await world({ always: fails(what) });
    const ran = await w.sous(["run", "-m", "anthropic/x", "-o", "json", "go"]);
    expect(ran.code).toBe(1);
    expect(resultIn(ran.stdout).status).toBe("failed");
    expect(lines(ran.stderr)).toHaveLength(1);
    expect(ran.stderr).toMatch(remedy);
    expect(w.server.count).toBe(1);
  });

  test("P.L03: resets, cut streams, error events and web pages are tried again; ten calls are not repeated", async () => {
    const faults = [resets(), cut(), streamError(), html(), fails(529)];
    const script = [
      ...Array.from({ length: 10 }, (_, n) => calls("Bash", { command: `echo ${n} >> ledger` })),
      ...faults,
      says("done"),
    ];
    await using w = await world(script);
    const ran = await w.sous(["run", "--mode", "yolo", "-m", "anthropic/x", "-o", "json", "go"], { timeoutMs: 60_000 });
    expect(resultIn(ran.stdout), ran.stderr).toMatchObject({ status: "succeeded", toolCalls: 10 });
    expect(lines(readFileSync(w.dir.join("ledger"), "utf8"))).toHaveLength(10);
    // A kept connection that was reset before any answer is tried again by the connection pool itself.
    expect(journal(w.stateDir).filter((event) => event.type === "model.failed")).toHaveLength(faults.length - 1);
    w.server.finish();
  });

  test("P.X03: a redirect is not followed: the key stays with its host", async () => {
    await using other = await startWireServer([says("stolen")]);
    await using w = await world([redirects(`${other.url}/v1/messages`)]);
    const ran = await w.sous(["run", "-m", "anthropic/x", "-o", "json", "go"]);
    expect(resultIn(ran.stdout)).toMatchObject({ status: "failed", error: { code: "redirect" } });
    expect(other.count).toBe(0);
  });
});
