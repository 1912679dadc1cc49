// Keys of the engine where something else runs or is kept: children, hooks, exports.
import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { call, calls, callsAll, responder, says, slow } from "../src/testing/wire-server/script.ts";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { journal, processesWith, world } from "./e2e-kit.ts";

const KEY = "sk-ant-canary-91be77d3c0";
const LOOK =
  "env; tr '\\0' '\\n' < /proc/self/environ; cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr '\\0' '\\n'";

const filesWith = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && readFileSync(path, "latin1").includes(text));

const isChild = (body: unknown): boolean =>
  JSON.stringify((body as { messages: unknown[] }).messages[0]).includes("child task");

describe("P.X01: a provider's key", () => {
  const stored = "canary-stored-91be77d3c0";
  test.each(["human", "confirm", "yolo"])(
    "that is stored in the workspace is read by no tool and no command in %s, whatever rules allow",
    async (mode) => {
      const commands = [
        "cat .config/sous/keys.json",
        "cat .config/sous/k*",
        "grep -rh canary-stored .",
        "rg --hidden canary-stored .",
        "head -c 500 .CONFIG/../.config/sous/keys.json",
        'python3 -c \'print(open(".config/sous/" + "keys.json").read())\'',
        "cp -r .config taken; cat taken/sous/*",
        "ln .config/sous/keys.json hard; cat hard",
      ];
      await using w = await world([
        callsAll(
          call("Read", { file_path: ".config/sous/keys.json" }),
          call("Read", { file_path: "link.json" }),
          call("Grep", { pattern: "canary-stored", path: ".", output_mode: "content" }),
          call("Grep", { pattern: "canary-stored", path: ".config/sous/keys.json", output_mode: "content" }),
          ...commands.map((command) => call("Bash", { command })),
        ),
        says("done"),
      ]);
      mkdirSync(w.dir.join(".config/sous"), { recursive: true });
      writeFileSync(w.dir.join(".config/sous/keys.json"), JSON.stringify({ openai: stored }), { mode: 0o600 });
      symlinkSync(".config/sous/keys.json", w.dir.join("link.json"));
      const env = { HOME: w.dir.path, XDG_CONFIG_HOME: "" };
      const allow = ["--allow", "Read(.config/**)", "--allow", "Bash", "--allow", "Read"];
      const ran = await w.sous(["run", "--mode", mode, ...allow, "--model", "anthropic/x", "go"], { env });
      expect(ran.code, ran.stderr).toBe(0);
      expect(JSON.stringify(w.server.requests.map(({ body }) => body)).split(stored)).toHaveLength(1);
    },
    60_000,
  );

  test("is in no hook's environment and in no child's command, nor in any process that they can look at", async () => {
    await using w = await world(
      responder(({ turn, body }) => {
        if (isChild(body)) return turn === 1 ? calls("Bash", { command: LOOK }) : says("looked");
        return turn === 1 ? calls("spawn_subagent", { prompt: "child task" }) : says("ok");
      }),
    );
    const config = w.dir.join("own.json");
    const hook = { hooks: [{ type: "command", command: `(${LOOK}) >> ${w.dir.join("hooks.txt")}` }] };
    const hooks = { SessionStart: [hook], PreToolUse: [hook], SubagentStop: [hook] };
    writeFileSync(config, JSON.stringify({ hooks }));
    const env = { ANTHROPIC_API_KEY: KEY, OPENAI_API_KEY: `${KEY}-2`, GEMINI_API_KEY: `${KEY}-3` };
    const ran = await w.sous(["run", "--mode", "yolo", "-m", "anthropic/x", "--config", config, "go"], { env });
    expect(ran.code, ran.stderr).toBe(0);
    const seen = readFileSync(w.dir.join("hooks.txt"), "utf8");
    const child = JSON.stringify(
      journal(w.stateDir).filter(({ path, type }) => path !== "ROOT" && type === "tool.ended"),
    );
    for (const text of [seen, child]) {
      expect(text).toContain("PATH=");
      expect(text).not.toMatch(/canary|_API_KEY=/);
    }
  });
});

test("P.X01: once a run has begun, no key stands in the environment that the system shows of the engine, or of what started it", async () => {
  await using w = await world([slow({ headersAfterMs: 60_000 }, says("never"))]);
  Object.assign(w.env, { ANTHROPIC_API_KEY: KEY });
  const config = w.dir.join("own.json");
  writeFileSync(config, JSON.stringify({ providers: { mine: { api: "openai-chat", apiKeyEnv: "MY_OWN_KEY" } } }));
  Object.assign(w.env, { MY_OWN_KEY: `${KEY}-own` });
  const child = w.start(["run", "-m", "anthropic/x", "--config", config, "go"]);
  const ended = new Promise((resolve) => child.on("close", resolve));
  await waitFor(() => w.server.requests.length > 0);
  expect(JSON.stringify(w.server.requests[0]?.headers)).toContain(KEY);
  const environment = readFileSync(`/proc/${child.pid}/environ`, "latin1");
  expect(environment).toContain("MY_OWN_KEY=xxx");
  expect(environment).not.toContain("canary");
  expect(processesWith(KEY)).toEqual([]);
  child.kill("SIGTERM");
  await ended;
});

describe("P.X02: a known key", () => {
  test("that a child is told, reads, would run and says is on no disk, in no output and in no export", async () => {
    await using w = await world(
      responder(({ turn, body }) => {
        if (!isChild(body))
          return turn === 1 ? calls("spawn_subagent", { prompt: `child task with ${KEY}` }) : says(`It was ${KEY}.`);
        if (turn === 1) return calls("Read", { file_path: "key.txt" });
        if (turn === 2) return calls("Bash", { command: `echo ${KEY}; touch made` });
        return says(`The key is ${KEY}.`, { thinks: `key ${KEY}` });
      }),
    );
    writeFileSync(w.dir.join("key.txt"), `${KEY}\n`);
    const env = { ANTHROPIC_API_KEY: KEY };
    const ran = await w.sous(["run", "-m", "anthropic/x", "-o", "jsonl", "go"], { env });
    expect(ran.stdout + ran.stderr).not.toContain(KEY);
    expect(filesWith(w.stateDir, KEY)).toEqual([]);
    for (const format of ["md", "jsonl", "atif"]) {
      const out = await w.sous(["sessions", "export", "last", "--format", format], { env });
      expect(out.stdout, format).not.toContain(KEY);
      expect(out.stdout, format).toContain("[masked ANTHROPIC_API_KEY]");
    }
  });
});
