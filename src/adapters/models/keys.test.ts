import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startWireServer } from "../../testing/wire-server/start-wire-server.ts";
import { fails, responder, says } from "../../testing/wire-server/script.ts";
import type { ModelFault } from "../../core/model-fault.ts";
import type { Model } from "../../ports/model.ts";
import { createHttp } from "./http.ts";
import { KeyCommandFailed } from "./key-command.ts";
import { createKeySource, type KeySource } from "./keys.ts";
import { createModel } from "./providers.ts";

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "sous-keys-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** A command that notes each run and prints what stands in a file. */
async function vault(key: string) {
  const at = await folder();
  const file = join(at, "key");
  const runs = join(at, "runs");
  await writeFile(file, key);
  await writeFile(runs, "");
  return {
    command: `echo run >> '${runs}'; sleep 0.05; cat '${file}'`,
    set: (value: string) => writeFile(file, value),
    runs: async () => (await readFile(runs, "utf8")).split("\n").length - 1,
    note: (text: string) => appendFile(runs, text),
  };
}

describe("a key", () => {
  test("that is given is used as it is, and refreshing does not change it", async () => {
    const keys = createKeySource({ value: " sk-1\n" });
    const held = await keys.get();
    expect(held.key).toBe("sk-1");
    expect((await keys.refresh(held)).key).toBe("sk-1");
  });

  test("that is empty is none", async () => {
    expect((await createKeySource({ value: "" }).get()).key).toBeUndefined();
  });

  test("from a command is asked for once, however many want it", async () => {
    const { command, runs } = await vault("sk-1");
    const keys = createKeySource({ command, value: "not this" });
    const held = await Promise.all(Array.from({ length: 10 }, () => keys.get()));
    expect(new Set(held.map((one) => one.key))).toEqual(new Set(["sk-1"]));
    await keys.get();
    expect(await runs()).toBe(1);
  });

  test("P.L08: is refreshed once for all that were refused, also for those who come late", async () => {
    const { command, runs, set } = await vault("sk-1");
    const keys = createKeySource({ command });
    const held = await Promise.all(Array.from({ length: 20 }, () => keys.get()));
    await set("sk-2");
    const first = await Promise.all(held.slice(0, 10).map((one) => keys.refresh(one)));
    const late = await Promise.all(held.slice(10).map((one) => keys.refresh(one)));
    expect(new Set([...first, ...late].map((one) => one.key))).toEqual(new Set(["sk-2"]));
    expect(await runs()).toBe(2);
  });

  test("P.L08: survives a command that fails", async () => {
    const at = await folder();
    const flag = join(at, "broken");
    const keys = createKeySource({ command: `if [ -e '${flag}' ]; then echo no login >&2; exit 3; fi; echo sk-1` });
    const held = await keys.get();
    await writeFile(flag, "");
    await expect(keys.refresh(held)).rejects.toThrow("apiKeyCommand ended with 3: no login");
    expect((await keys.get()).key).toBe("sk-1");
  });
});

describe("a key command", () => {
  const run = (command: string, timeoutMs = 5000) => createKeySource({ command, timeoutMs }).get();

  test("that hangs is ended at its limit with all it started", async () => {
    const at = await folder();
    const mark = join(at, "mark");
    const began = performance.now();
    await expect(run(`(sleep 1; echo alive > '${mark}') & sleep 30`, 200)).rejects.toThrow(/within 0.2 s/);
    expect(performance.now() - began).toBeLessThan(3000);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await expect(readFile(mark)).rejects.toThrow("ENOENT");
  });

  test("that leaves a process behind with its output open does not hold us up", async () => {
    const began = performance.now();
    expect((await run("sleep 10 & echo sk-1")).key).toBe("sk-1");
    expect(performance.now() - began).toBeLessThan(5000);
  });

  test("that prints nothing, several words or too much gives no key, and its output is not told", async () => {
    await expect(run("true")).rejects.toThrow(/printed nothing/);
    const told: unknown = await run("echo secret words").catch((error: unknown) => error);
    expect(told).toBeInstanceOf(KeyCommandFailed);
    expect(String(told)).not.toContain("secret");
    await expect(run("yes")).rejects.toThrow(/more than a key/);
  });

  test("gets the environment it is given", async () => {
    const keys = createKeySource({ command: 'echo "$VAULT"', env: { VAULT: "sk-env", PATH: process.env["PATH"] } });
    expect((await keys.get()).key).toBe("sk-env");
  });
});

describe("a model whose key is refused", () => {
  const make = (baseURL: string, keys: KeySource): Promise<Model> =>
    createModel({
      provider: { name: "anthropic", api: "anthropic", baseURL, keyFrom: "ANTHROPIC_API_KEY" },
      model: "claude-sonnet-5-5",
      http: createHttp(),
      keys,
      newId: () => "call_1",
    });
  const request = {
    system: "",
    messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
    tools: [],
  } as const;
  const run = async (model: Model): Promise<string> => {
    for await (const part of model.stream(request, new AbortController().signal)) {
      if (part.type === "reply") return part.reply.finish;
    }
    return "no reply";
  };
  const onlyTakes = (good: string) =>
    responder((seen) => (seen.headers["x-api-key"] === good ? says("Hello") : fails(401)));

  test("P.L08: 20 runs with an expired key make one refresh and all go on", async () => {
    const { command, runs, set } = await vault("sk-old");
    const keys = createKeySource({ command });
    await keys.get();
    await set("sk-new");
    await using server = await startWireServer(onlyTakes("sk-new"));
    const model = await make(server.url, keys);
    const ends = await Promise.all(Array.from({ length: 20 }, () => run(model)));
    expect(ends).toEqual(Array.from({ length: 20 }, () => "stop"));
    expect(await runs()).toBe(2);
    expect(server.count).toBe(40);
  });

  test("asks no second time with the same key", async () => {
    const { command } = await vault("sk-old");
    await using server = await startWireServer(onlyTakes("sk-new"));
    const model = await make(server.url, createKeySource({ command }));
    const error: unknown = await run(model).catch((caught: unknown) => caught);
    expect((error as ModelFault).fault).toMatchObject({
      code: "auth",
      status: 401,
      remedy: expect.stringContaining("ANTHROPIC_API_KEY"),
    });
    expect(server.count).toBe(1);
  });

  test("tries a new key once only", async () => {
    let n = 0;
    const keys: KeySource = {
      get: async () => ({ key: `sk-${n}`, generation: n }),
      refresh: async () => ({ key: `sk-${++n}`, generation: n }),
    };
    await using server = await startWireServer({ always: fails(401) });
    await expect(run(await make(server.url, keys))).rejects.toThrow(/401/);
    expect(server.count).toBe(2);
  });

  test("P.L08: a transient 401 leaves the key in place for the next request", async () => {
    const { command } = await vault("sk-1");
    const keys = createKeySource({ command });
    await using server = await startWireServer([fails(401), says("Hello")]);
    const model = await make(server.url, keys);
    await expect(run(model)).rejects.toThrow(/401/);
    expect(await run(model)).toBe("stop");
    expect(server.requests[1]?.headers["x-api-key"]).toBe("sk-1");
  });

  test("has no key at all: told without a request", async () => {
    await using server = await startWireServer([]);
    const model = await make(server.url, createKeySource({}));
    const error: unknown = await run(model).catch((caught: unknown) => caught);
    expect((error as ModelFault).fault).toMatchObject({
      code: "auth",
      message: "there is no key for anthropic",
      remedy: "set ANTHROPIC_API_KEY to a valid anthropic key that may use this model",
    });
    expect(server.count).toBe(0);
  });

  test("a hanging key command can be aborted", async () => {
    const model = await make("http://127.0.0.1:1", createKeySource({ command: "sleep 20", timeoutMs: 3000 }));
    const stop = new AbortController();
    setTimeout(() => stop.abort("enough"), 50);
    const began = performance.now();
    const stream = model.stream(request, stop.signal)[Symbol.asyncIterator]();
    await expect(stream.next()).rejects.toBe("enough");
    expect(performance.now() - began).toBeLessThan(500);
  });
});
