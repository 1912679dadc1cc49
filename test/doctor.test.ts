// `sous doctor` and `sous setup` through the built command.
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { examine, type Finding } from "../src/host/doctor.ts";
import { runProcess } from "../src/testing/memory/run-process.ts";
import { calls, says } from "../src/testing/wire-server/script.ts";
import { resultIn, sousArgv, world, type World } from "./e2e-kit.ts";

type Diagnosis = { usable: boolean; findings: Finding[] };
const doctor = async (w: World, env: Record<string, string | undefined> = {}, words: string[] = []) => {
  const ran = await w.sous(["doctor", "--json", ...words], { env });
  return { ...ran, ...(JSON.parse(ran.stdout) as Diagnosis) };
};
const about = ({ findings }: Diagnosis, check: string): Finding[] => findings.filter((one) => one.check === check);

describe("sous doctor", () => {
  test("names what is there, without any key's value, and exits 0 when Sous can be used", async () => {
    await using w = await world([]);
    const found = await doctor(w, { OPENAI_API_KEY: "sk-canary-in-the-doctor" });
    expect(found).toMatchObject({ code: 0, usable: true, stderr: "" });
    expect(about(found, "keys")[0]?.says).toBe("ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY");
    expect(about(found, "model")[0]?.says).toMatch(/runs use anthropic\//);
    for (const check of [
      "node",
      "state",
      "disk",
      "sessions",
      "config",
      "trust",
      "processes",
      "git",
      "ripgrep",
      "bubblewrap",
      "domains",
    ])
      expect(about(found, check), check).toHaveLength(1);
    const text = await w.sous(["doctor"], { env: { OPENAI_API_KEY: "sk-canary-in-the-doctor" } });
    expect(found.stdout + text.stdout).not.toContain("sk-canary");
    expect(text.stdout).toMatch(/^✓ node {7}Node \d+/);
    expect(existsSync(w.stateDir)).toBe(false);
  });

  test("exits 1 with what to do when something it needs is broken", async () => {
    await using w = await world([]);
    writeFileSync(w.dir.join("c.json"), '{"modle": "x"}');
    const config = await doctor(w, {}, ["--config", w.dir.join("c.json")]);
    expect(config).toMatchObject({ code: 1, usable: false });
    expect(about(config, "config")).toMatchObject([
      { is: "broken", says: expect.stringContaining('did you mean "model"') as string },
    ]);
    writeFileSync(w.stateDir, "a file");
    const state = await doctor(w);
    expect(state.code).toBe(1);
    expect(about(state, "state")).toMatchObject([{ is: "broken", todo: "move it away, or use --state-dir" }]);
  });

  test("P.T01: executes and obeys nothing of a folder that is not trusted, and says what waits there", async () => {
    await using w = await world([]);
    mkdirSync(w.dir.join(".git"));
    mkdirSync(w.dir.join(".sous"));
    const trap = `touch ${w.dir.join("trapped")}`;
    writeFileSync(
      w.dir.join(".git/config"),
      `[core]\n\tfsmonitor = ${trap}\n\tpager = ${trap}\n[alias]\n\tversion = !${trap}\n`,
    );
    writeFileSync(
      w.dir.join(".sous/config.json"),
      JSON.stringify({ model: "anthropic/evil", providers: { x: { apiKeyCommand: trap } } }),
    );
    for (const name of ["git", "bwrap", "rg", "bash"]) {
      writeFileSync(w.dir.join(name), `#!/bin/sh\n${trap}\n`);
      chmodSync(w.dir.join(name), 0o755);
    }
    const found = await doctor(w, { PATH: `${w.dir.path}:${process.env["PATH"]}` });
    expect(found).toMatchObject({ code: 0 });
    expect(about(found, "trust")).toMatchObject([
      { is: "note", says: `${w.dir.path} is not trusted; ignored: .sous/config.json` },
    ]);
    expect(about(found, "model")[0]?.says).not.toContain("evil");
    expect(existsSync(w.dir.join("trapped"))).toBe(false);
    expect(existsSync(w.stateDir)).toBe(false);
  });

  test("D3: tells whether sandboxes can be held to domains, and who of a trusted project wants that", async () => {
    await using w = await world([]);
    mkdirSync(w.dir.join(".sous/agents"), { recursive: true });
    writeFileSync(
      w.dir.join(".sous/agents/fetcher.md"),
      "---\nname: fetcher\ndescription: d\nworkspace: {isolation: sandbox, network: [api.example.com]}\n---\nFetch.\n",
    );
    expect(about(await doctor(w), "domains")[0]?.says).not.toContain("fetcher");
    await w.sous(["trust"]);
    expect(about(await doctor(w), "domains")[0]?.says).toContain("asked for by fetcher");
  });

  test("tells of sessions that can go on", async () => {
    await using w = await world([calls("Bash", { command: "sleep 30" })]);
    const words = ["run", "--mode", "yolo", "-m", "anthropic/x", "-o", "jsonl", "go"];
    await w.sous(words, { killOn: (line) => line.includes('"tool.started"') });
    const found = await doctor(w);
    expect(about(found, "sessions")).toMatchObject([
      {
        is: "note",
        says: "1 session, 0 running, 1 that can go on",
        todo: expect.stringContaining("sous run --resume agent-") as string,
      },
    ]);
  });

  test("finds a model server on this machine, and waits no longer than 300 ms for one that is silent", async () => {
    const server = createServer((request, response) => {
      if (request.url === "/v1/models") response.end(JSON.stringify({ data: [{ id: "qwen" }] }));
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const began = performance.now();
    const servers = [
      { name: "ollama", base: `${base}/v1` },
      { name: "silent", base: `${base}/silent` },
    ];
    const { findings } = await examine({
      env: { HOME: "/nonexistent" },
      cwd: "/",
      stateDir: "/nonexistent/state",
      servers,
    });
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(findings.filter(({ check }) => check === "server")).toMatchObject([
      {
        says: expect.stringContaining("ollama answers") as string,
        todo: expect.stringContaining("--model ollama/qwen") as string,
      },
    ]);
    server.closeAllConnections();
    server.close();
  });
});

describe("sous setup", () => {
  const key = "sk-ant-setup-canary-1";
  const bare = { ANTHROPIC_API_KEY: undefined, OPENAI_API_KEY: undefined, GEMINI_API_KEY: undefined };

  test("without a terminal says which variables to set", async () => {
    await using w = await world([]);
    const ran = await w.sous(["setup"]);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toMatch(/^sous: .*set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY.*\n$/);
    expect((await w.sous(["setup", "antropic", "--stdin"], { stdin: key })).stderr).toContain(
      "did you mean anthropic?",
    );
  });

  test("stores a key for its owner only, and runs then use it; a variable goes before it, a command between them", async () => {
    await using w = await world({ always: says("hello") });
    const config = w.dir.join("config");
    const env = { ...bare, XDG_CONFIG_HOME: config };
    const stored = await w.sous(["setup", "anthropic", "--stdin"], { env, stdin: `${key}\n` });
    expect(stored.code, stored.stderr).toBe(0);
    const file = join(config, "sous", "keys.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(config, "sous")).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ anthropic: key });
    const sent = async (more: Record<string, string> = {}): Promise<unknown> => {
      const ran = await w.sous(["run", "-o", "json", "-m", "anthropic/x", "hi"], { env: { ...env, ...more } });
      expect(resultIn(ran.stdout).status).toBe("succeeded");
      return w.server.requests.at(-1)?.headers["x-api-key"];
    };
    expect(await sent()).toBe(key);
    const commanded = await w.sous(["setup", "anthropic", "--command", "echo sk-from-a-command"], { env });
    expect(JSON.parse(readFileSync(join(config, "sous", "config.json"), "utf8"))).toEqual({
      providers: { anthropic: { api: "anthropic", apiKeyCommand: "echo sk-from-a-command" } },
    });
    expect(await sent()).toBe("sk-from-a-command");
    expect(await sent({ ANTHROPIC_API_KEY: "sk-from-a-variable" })).toBe("sk-from-a-variable");
    const found = await doctor(w, env);
    for (const said of [stored, commanded, found]) expect(said.stdout + said.stderr).not.toContain(key);
    expect(about(found, "keys")[0]?.says).toBe("apiKeyCommand of anthropic, the stored key of anthropic");
    expect(readdirSync(join(config, "sous")).toSorted()).toEqual(["config.json", "keys.json"]);
  });

  test("a damaged key file is named, and what stands in it is not", async () => {
    await using w = await world([]);
    const config = w.dir.join("config");
    mkdirSync(join(config, "sous"), { recursive: true });
    writeFileSync(join(config, "sous", "keys.json"), `{"anthropic": "${key}`);
    const ran = await w.sous(["run", "hi"], { env: { XDG_CONFIG_HOME: config } });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/^sous: the key file .*keys\.json is not JSON.*sous setup again\n$/);
    expect(ran.stderr).not.toContain(key);
  });

  test("on a terminal asks, and does not show the key as it is typed", async () => {
    await using w = await world([]);
    const config = w.dir.join("config");
    const command = sousArgv("setup")
      .map((word) => `'${word}'`)
      .join(" ");
    const typed = runTerminal(`(sleep 1; printf 'openai\\r'; sleep 0.7; printf '${key}\\r'; sleep 0.5)`, command);
    const ran = await runProcess(["bash", "-c", typed], {
      cwd: w.dir.path,
      env: { ...w.env, XDG_CONFIG_HOME: config },
    });
    expect(ran.stdout).toContain("The key of openai (not shown; Enter to name a command that prints it):");
    expect(ran.stdout).toContain("stored in");
    expect(ran.stdout).not.toContain(key);
    expect(JSON.parse(readFileSync(join(config, "sous", "keys.json"), "utf8"))).toEqual({ openai: key });
  });

  test("on a terminal Enter at the key leads to the command, where a key is refused", async () => {
    await using w = await world([]);
    const config = w.dir.join("config");
    const ask = (typing: string) =>
      runProcess(
        [
          "bash",
          "-c",
          runTerminal(
            typing,
            sousArgv("setup", "openai")
              .map((word) => `'${word}'`)
              .join(" "),
          ),
        ],
        {
          cwd: w.dir.path,
          env: { ...w.env, XDG_CONFIG_HOME: config },
        },
      );
    const refused = await ask(`(sleep 1; printf '\\r'; sleep 0.7; printf '${key}\\r'; sleep 0.5)`);
    expect(refused.stdout).toContain("sous: that looks like a key, not like a command that prints one");
    expect(existsSync(join(config, "sous"))).toBe(false);
    await ask(`(sleep 1; printf '\\r'; sleep 0.7; printf 'pass show openai\\r'; sleep 0.5)`);
    expect(JSON.parse(readFileSync(join(config, "sous", "config.json"), "utf8"))).toEqual({
      providers: { openai: { api: "openai", apiKeyCommand: "pass show openai" } },
    });
  });

  test("a key in the place of apiKeyCommand is never run nor shown; setup mends it, --remove takes keys away", async () => {
    await using w = await world({ always: says("hello") });
    const config = w.dir.join("config");
    const env = { ...bare, XDG_CONFIG_HOME: config };
    const file = join(config, "sous", "config.json");
    mkdirSync(join(config, "sous"), { recursive: true });
    writeFileSync(
      file,
      JSON.stringify({ mode: "yolo", providers: { anthropic: { api: "anthropic", apiKeyCommand: key } } }),
    );
    const ran = await w.sous(["run", "-m", "anthropic/x", "hi"], { env });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/apiKeyCommand holds what looks like a key, not a command; .*run sous setup anthropic/);
    const found = await doctor(w, env);
    expect(about(found, "keys")[0]).toMatchObject({
      is: "broken",
      todo: expect.stringContaining("sous setup anthropic"),
    });
    const refused = await w.sous(["setup", "anthropic", "--command", key], { env });
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    const mended = await w.sous(["setup", "anthropic", "--stdin"], { env, stdin: key });
    expect(mended.stdout).toContain("a key that stood as apiKeyCommand was taken away");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ mode: "yolo", providers: {} });
    expect((await w.sous(["run", "-m", "anthropic/x", "hi"], { env })).stdout).toBe("hello\n");
    const removed = await w.sous(["setup", "--remove", "anthropic"], { env });
    expect(removed.stdout).toBe("taken away: the stored key of anthropic\n");
    expect((await w.sous(["setup", "--remove", "anthropic"], { env })).stdout).toContain("there was no stored key");
    for (const said of [ran, found, refused, mended, removed]) expect(said.stdout + said.stderr).not.toContain(key);
  });
});

const runTerminal = (typing: string, command: string): string =>
  `${typing} | script -qec ${JSON.stringify(command)} /dev/null`;
