// Every bad input gives one line that says what to do, nothing on standard output, and the right exit code.
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type ProcessOutcome, runProcess } from "../src/testing/memory/run-process.ts";
import { fails, says, slow } from "../src/testing/wire-server/script.ts";
import type { Step } from "../src/testing/wire-server/step.ts";
import { journal, lines, resultIn, sousArgv, world, type World } from "./e2e-kit.ts";

type Case = {
  readonly name: string;
  readonly words: readonly string[];
  readonly says: RegExp;
  readonly code: number;
  readonly script?: readonly Step[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  prepare?(w: World): void;
};

const isRoot = process.getuid?.() === 0;
const noKeys = { ANTHROPIC_API_KEY: undefined, OPENAI_API_KEY: undefined, GEMINI_API_KEY: undefined };
const x = ["run", "-m", "anthropic/x"];
const config = (text: string) => (w: World) => writeFileSync(w.dir.join("c.json"), text);

const cases: readonly Case[] = [
  {
    name: "an unknown model",
    words: ["run", "-m", "nobody/knows", "go"],
    says: /there is no model "nobody\/knows".*providers: /,
    code: 2,
  },
  {
    name: "an unknown model of a provider",
    words: [...x, "go"],
    script: [fails("not-found")],
    says: /404.*\bmodel\b/,
    code: 1,
  },
  { name: "a wrong key", words: [...x, "go"], script: [fails("auth")], says: /401.*ANTHROPIC_API_KEY/, code: 1 },
  {
    name: "a stored key that is wrong",
    words: [...x, "go"],
    script: [fails("auth")],
    env: noKeys,
    prepare: () => {
      const folder = join(process.env["XDG_CONFIG_HOME"] ?? "", "sous");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "keys.json"), '{"anthropic":"sk-stored-and-wrong"}');
    },
    says: /401.*stored key \(sous setup\)/,
    code: 1,
  },
  { name: "no key for the model", words: [...x, "go"], env: noKeys, says: /ANTHROPIC_API_KEY/, code: 1 },
  { name: "an empty account", words: [...x, "go"], script: [fails("spend")], says: /failed: .*;/, code: 1 },
  {
    name: "a missing configuration",
    words: ["run", "--config", "none.json", "go"],
    says: /none\.json cannot be read: there is no such file/,
    code: 2,
  },
  {
    name: "a missing configuration in SOUS_CONFIG",
    words: ["run", "go"],
    env: { SOUS_CONFIG: "none.json" },
    says: /none\.json cannot be read/,
    code: 2,
  },
  {
    name: "a configuration that is no JSON",
    words: ["run", "--config", "c.json", "go"],
    prepare: config("{"),
    says: /c\.json is not JSON.*--config/,
    code: 2,
  },
  {
    name: "an unknown key",
    words: ["run", "--config", "c.json", "go"],
    prepare: config('{"retenshun":{}}'),
    says: /did you mean "retention"\?/,
    code: 2,
  },
  {
    name: "a bad rule in the configuration",
    words: ["run", "--config", "c.json", "go"],
    prepare: config('{"permissions":{"ask":["(x)"]}}'),
    says: /permissions\.ask has the rule "\(x\)"/,
    code: 2,
  },
  { name: "a folder as configuration", words: ["run", "--config", ".", "go"], says: /is not a file/, code: 2 },
  {
    name: "a bad SOUS_MODE",
    words: ["run", "go"],
    env: { SOUS_MODE: "fast" },
    says: /SOUS_MODE is one of human, confirm, yolo/,
    code: 2,
  },
  { name: "a bad flag", words: ["run", "--trsut", "go"], says: /no flag --trsut; did you mean --trust\?/, code: 2 },
  {
    name: "a flag without its value",
    words: ["sessions", "export", "last", "--format"],
    says: /--format needs a value/,
    code: 2,
  },
  {
    name: "a bad format",
    words: ["sessions", "export", "last", "--format", "pdf"],
    says: /--format is one of md, jsonl, atif; got "pdf"/,
    code: 2,
  },
  {
    name: "an export without a format",
    words: ["sessions", "export", "last"],
    says: /needs --format: md, jsonl, atif/,
    code: 2,
  },
  { name: "a search for nothing", words: ["sessions", "search"], says: /needs what to look for/, code: 2 },
  {
    name: "an export of nobody",
    words: ["sessions", "export", "agent-x", "-f", "md"],
    says: /there is no session or agent "agent-x"; see sous sessions/,
    code: 2,
  },
  { name: "a misspelt command", words: ["docter"], says: /did you mean doctor\?/, code: 2 },
  { name: "a misspelt verb", words: ["sessions", "serach"], says: /did you mean search\?/, code: 2 },
  { name: "a misspelt shell", words: ["completions", "bsh"], says: /did you mean bash\?/, code: 2 },
  {
    name: "a misspelt provider",
    words: ["setup", "antropic", "--command", "x"],
    says: /did you mean anthropic\?/,
    code: 2,
  },
  {
    name: "an empty key",
    words: ["setup", "anthropic", "--stdin"],
    says: /that is no key: nothing was given/,
    code: 2,
  },
  { name: "a folder to trust that is none", words: ["trust", "none"], says: /the folder none does not exist/, code: 2 },
  {
    name: "two folders to trust",
    words: ["trust", "a", "b"],
    says: /sous trust takes one word at most; got "b"/,
    code: 2,
  },
  {
    name: "a missing working folder",
    words: ["run", "--cwd", "none", "go"],
    says: /the folder none does not exist/,
    code: 2,
  },
  {
    name: "a state folder that is a file",
    words: [...x, "go"],
    prepare: (w) => writeFileSync(w.stateDir, ""),
    says: /is not a folder: move it away/,
    code: 1,
  },
  {
    name: "a state folder that is a link",
    words: [...x, "go"],
    prepare: (w) => symlinkSync("/tmp", w.stateDir),
    says: /is a symbolic link.*remove the link/,
    code: 1,
  },
  {
    name: isRoot ? "a state folder where nothing can be made" : "a state folder that may not be written",
    words: [...x, ...(isRoot ? ["--state-dir", "/proc/none/state"] : []), "go"],
    prepare: (w) => {
      mkdirSync(w.stateDir);
      chmodSync(w.stateDir, 0o500);
    },
    says: /cannot be made: set SOUS_STATE_DIR/,
    code: 1,
  },
];

describe("bad input", () => {
  afterEach(() => rmSync(join(process.env["XDG_CONFIG_HOME"] ?? "", "sous"), { recursive: true, force: true }));

  test.each(cases)("$name", async ({ words, says: expected, code, script = [], env = {}, prepare }) => {
    await using w = await world(script);
    prepare?.(w);
    const ran = await w.sous(words, { env });
    expect(lines(ran.stderr), ran.stderr).toHaveLength(1);
    expect(ran.stderr).toMatch(expected);
    expect(ran.stderr).toMatch(/^sous: /);
    expect(ran.stdout).toBe("");
    expect(ran.code).toBe(code);
    expect(w.server.count).toBe(script.length);
  });

  /** In a file system of 64 kB that is full when the command starts; `then` is done beside it. */
  async function onFullDisk(w: World, then: string, words: readonly string[]): Promise<ProcessOutcome> {
    const small = w.dir.join("small");
    mkdirSync(small);
    const full = `head -c 200k /dev/zero > ${small}/fill 2>/dev/null`;
    const script = `mount -t tmpfs -o size=64k tmpfs ${small} || exit 77; mkdir -m 700 ${small}/state; ${then}
exec "$@"`;
    const argv = sousArgv(...words, "--state-dir", `${small}/state`, "go");
    return runProcess(
      ["unshare", "-rm", "bash", "-c", script.replace("FILL", full).replaceAll("SMALL", small), "bash", ...argv],
      {
        cwd: w.dir.path,
        env: w.env,
      },
    );
  }

  test("no space from the start: one line, and 1", async (it) => {
    await using w = await world([]);
    const ran = await onFullDisk(w, "FILL", x);
    it.skip(ran.code === 77 || ran.stderr.includes("unshare"), "needs user namespaces");
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toMatch(/^sous: session \S+ could not be opened: no space left.*; free some space[^\n]*\n$/);
    expect(w.server.count).toBe(0);
  });

  test("P.D10: no space in the middle: told at once, and the run goes on when there is room again", async (it) => {
    await using w = await world([slow({ headersAfterMs: 1_500 }, says("done".repeat(2_000)))]);
    // Full from the moment it waits for the model until a while after the reply came.
    const asked = "grep -qs turn.started SMALL/state/trees/*/journal.jsonl";
    const fault = `(until ${asked}; do sleep 0.05; done; FILL; sleep 3; rm SMALL/fill) &`;
    const ran = await onFullDisk(w, fault, [...x, "-o", "json"]);
    it.skip(ran.code === 77 || ran.stderr.includes("unshare"), "needs user namespaces");
    expect(ran.stderr).toMatch(/^sous: waiting for the disk: .*no space left/m);
    expect(resultIn(ran.stdout).status).toBe("succeeded");
    expect(ran.code).toBe(0);
  });

  test("nothing was begun by any of them that could not begin", async () => {
    await using w = await world([]);
    await w.sous(["run", "--trsut", "go"]);
    expect(journal(w.stateDir)).toEqual([]);
  });
});
