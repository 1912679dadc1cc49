// Who speaks to a tree: what an agent's command makes of its environment, its parents and its namespaces does not make it
// a person, for a run that is open and for one at rest, however commands are owned.
import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createProcesses } from "../src/adapters/processes/create-processes.ts";
import { strategies } from "../src/adapters/processes/processes-test-kit.ts";
import { ownCredentials } from "../src/host/caller.ts";
import { refusedToAgents } from "../src/host/control/person-only.ts";
import { calls, says, slow } from "../src/testing/wire-server/script.ts";
import { tempDir } from "../src/testing/memory/temp-dir.ts";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { background, journal, sousArgv, type World, world } from "./e2e-kit.ts";

/** Ways to put the marks away; each is followed by a program and its words. */
const SHEDDING = {
  "as it is": "",
  "without the mark": "env -u SOUS_RUN -u SOUS_DEPTH",
  "with an empty mark": "env SOUS_RUN= SOUS_DEPTH=0",
  "with no environment": "env -i",
  "in a session of its own": "setsid -w env -i",
  "below a shell that has none either": "env -i bash -c 'env -i \"$@\"' sh",
  "in namespaces of its own": "unshare -Urpf --mount-proc env -i",
};

/** A machine that has no namespaces for us has none for a command either. */
const sheddingUnder = (strategy: (typeof strategies)[number]) =>
  Object.entries(SHEDDING).filter(([, shed]) => strategy !== "keeper" || !shed.startsWith("unshare"));

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(" ");

describe.each(strategies)("P.I04, P.S01: where commands are owned by %s", (strategy) => {
  const left = { running: undefined as unknown as World, resting: undefined as unknown as World };
  let ended: Promise<unknown>;
  beforeAll(async () => {
    left.running = await world([slow({ headersAfterMs: 120_000 }, says("never"))]);
    left.resting = await world([says("done")]);
    await left.resting.sous(["run", "--model", "anthropic/x", "go"]);
    const held = background(left.running, "run", "--model", "anthropic/x", "go");
    ended = held.ended;
    await waitFor(() => journal(left.running.stateDir).length > 2);
  });
  afterAll(async () => {
    await left.running.sous(["stop", "last"]);
    await ended;
    for (const one of Object.values(left)) await one[Symbol.asyncDispose]();
  });

  test("from a terminal of their own, a person is heard", async () => {
    for (const w of Object.values(left)) expect((await w.sous(["mode", "last", "human"])).stdout).toBe("human\n");
  });

  const runs = async (command: string, { env, dir }: World, depth: string) => {
    const processes = createProcesses({ runMarker: "agent-under-test", secretNames: [], strategy });
    let output = "";
    const all = { ...(process.env as Record<string, string>), ...env, SOUS_DEPTH: depth };
    const spec = { command, cwd: dir.path, env: all, timeoutMs: 30_000 };
    const { code } = await processes.run(
      spec,
      (chunk) => void (output += chunk.toString()),
      new AbortController().signal,
    );
    processes.close();
    return { code, output };
  };

  test.each(sheddingUnder(strategy))(
    "a command %s is not a person",
    async (_, shed) => {
      const nested = shed.startsWith("unshare");
      for (const w of [left.running, left.resting]) {
        const before = journal(w.stateDir).length;
        const at = ["--state-dir", w.stateDir];
        const sous = (...words: string[]): string => `${shed} ${quoted(sousArgv(...words, ...at))}`;
        const home = `HOME=${w.dir.path}`;
        const tried = [
          sous("mode", "last", "yolo"),
          sous("send", "last", "approved"),
          sous("budget", "last", "--tokens", "9"),
        ];
        for (const command of tried) {
          const { code, output } = await runs(command.replace("env -i", `env -i ${home}`), w, "2");
          if (nested && output.includes("unshare:")) continue;
          expect(code, output).not.toBe(0);
          expect(output).toMatch(/only a person|for a person|cannot be reached from here|cannot be done from another/);
        }
        const added = journal(w.stateDir).slice(before);
        expect(added.filter(({ type }) => /mode|budget|input|item/.test(type))).toEqual([]);
      }
    },
    120_000,
  );

  test.each(sheddingUnder(strategy))("Sous that a command starts %s knows how deep it stands", async (_, shed) => {
    await using w = await world({ always: says("too deep") });
    const sous = quoted(sousArgv("run", "--model", "anthropic/x", "--state-dir", w.stateDir, "go"));
    const keys = Object.entries(w.env).map(([name, value]) => `${name}=${value}`);
    const command = `${shed} ${sous}`.replace("env -i", `env -i HOME=${w.dir.path} ${keys.join(" ")}`);
    const { output } = await runs(command, w, "4");
    if (shed.startsWith("unshare") && output.includes("unshare:")) return;
    expect(output).toContain("nested 3 deep");
    expect(journal(w.stateDir)).toEqual([]);
  });
});

describe("P.I04: a host that is asked", () => {
  const owned = (by: (typeof strategies)[number]) => () => Promise.resolve(by);
  const own = () => ownCredentials(() => randomBytes(8).toString("hex"));

  test("believes a process that shows its word in its command line, and nobody who only says so", async () => {
    const as = own();
    const asks = (more: object) => refusedToAgents({ op: "mode", mode: "yolo", ...more }, owned("bubblewrap"));
    expect(await asks({ as })).toBeUndefined();
    for (const forged of [
      {},
      { as: { pid: as.pid } },
      { as: { ...as, pid: process.ppid } },
      { as: { ...as, pid: 2 ** 31 } },
      { as: { ...as, token: "sous-0123456789abcdef" } },
      { as: { ...as, token: "" } },
      { as: { ...as, token: "node" } },
      { as: "me" },
    ])
      expect(await asks(forged), JSON.stringify(forged)).toContain("for a person");
    expect(await refusedToAgents({ op: "agents" }, owned("bubblewrap"))).toBeUndefined();
  });

  test("believes no process that has a word of the asker's choice among others: in a pattern, a file's name, its environment", async () => {
    await using dir = await tempDir();
    const token = "sous-deadbeefdeadbeef";
    writeFileSync(dir.join(token), "");
    const asks = (pid: number) =>
      refusedToAgents({ op: "mode", mode: "yolo", as: { pid, token } }, owned("bubblewrap"));
    const shapes = {
      "a pattern": `bash -c 'sleep 60; :' rg -- 'a|${token}'`,
      "the pattern alone": `bash -c 'sleep 60; :' ${token}`,
      "a file": `tail -f ${token}`,
      "the environment": `env WORD=${token} sleep 60`,
      "the first word": `bash -c 'exec -a ${token} sleep 60'`,
    };
    for (const [name, shape] of Object.entries(shapes)) {
      // Its parent ends, so that it comes from nobody.
      const printed = execFileSync("bash", ["-c", `${shape} >/dev/null 2>&1 & echo $!`], { cwd: dir.path });
      const pid = Number(printed.toString());
      const shown = () => readFileSync(`/proc/${pid}/${name === "the environment" ? "environ" : "cmdline"}`, "latin1");
      await waitFor(() => shown().includes(token));
      const refusal = await asks(pid);
      process.kill(pid, "SIGKILL");
      expect(refusal, name).toContain("for a person");
    }
    const title = `process.title = "${token}"; process.stdin.resume()`;
    const started = spawn(process.execPath, ["-e", title, "x".repeat(99)], { stdio: ["pipe", "ignore", "ignore"] });
    await waitFor(() => readFileSync(`/proc/${started.pid}/cmdline`, "latin1").startsWith(token));
    expect(await asks(started.pid ?? 0), "what the host itself has started").toContain("for a person");
    started.kill();
  });

  test("where the system cannot tell a person from a command, takes steering and refusals, and nothing that widens rights", async () => {
    const as = own();
    const asks = (request: object) => refusedToAgents({ ...request, as } as never, owned("keeper"));
    for (const request of [{ op: "stop" }, { op: "send", text: "x" }, { op: "answer", words: "no" }])
      expect(await asks(request), JSON.stringify(request)).toBeUndefined();
    for (const request of [
      { op: "answer", words: "yes" },
      { op: "mode", mode: "yolo" },
      { op: "budget", usd: 9 },
    ])
      expect(await asks(request), JSON.stringify(request)).toContain("when it has come to rest");
  });
});

test("P.I04: an agent's command finds no way to the multiplexer in which its person sits, by variable or by socket", async (it) => {
  if (!existsSync("/usr/bin/tmux") || !existsSync("/usr/bin/bwrap")) it.skip("needs tmux and bubblewrap");
  const command =
    'echo "mux=[$TMUX][$STY][$DBUS_SESSION_BUS_ADDRESS]"; tmux send-keys -t person typed Enter; tmux -S "$(cat socket)" send-keys -t person typed Enter; echo tried';
  await using w = await world([calls("Bash", { command }), says("done")]);
  await using apart = await tempDir();
  const socket = apart.join("mux");
  writeFileSync(w.dir.join("socket"), socket);
  const tmux = (...words: string[]): string =>
    execFileSync("tmux", ["-S", socket, ...words], { env: { ...process.env, TMUX: "" } }).toString();
  const pane = (): string => tmux("capture-pane", "-p", "-t", "person");
  tmux("new-session", "-d", "-s", "person", "cat");
  try {
    const session = { TMUX: `${socket},1,0`, STY: "1.pts", DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/user/0/bus" };
    const ran = await w.sous(["run", "--mode", "yolo", "--model", "anthropic/x", "go"], { env: session });
    expect(ran.code, ran.stderr).toBe(0);
    const ended = JSON.stringify(journal(w.stateDir).filter(({ type }) => type === "tool.ended"));
    expect(ended).toContain("mux=[][][]");
    expect(ended).toContain("tried");
    // Typed from outside it is there, and what came before it would be, too.
    tmux("send-keys", "-t", "person", "marker", "Enter");
    await waitFor(() => pane().includes("marker\n"));
    expect(pane()).not.toContain("typed");
  } finally {
    tmux("kill-server");
  }
});

test("P.I04: an agent's command finds no socket that a run of the same state names, wherever it is", async (it) => {
  if (!existsSync("/usr/bin/bwrap")) it.skip("needs bubblewrap");
  await using apart = await tempDir("apart-");
  const socket = apart.join("1-00000000.sock");
  const server = createServer().listen(socket);
  const command = `[ -S ${socket} ] && echo reached; ls ${apart.path} && echo looked`;
  await using w = await world([calls("Bash", { command }), says("done")]);
  const other = join(w.stateDir, "trees", "ses_zzzzzzzzzzzz");
  mkdirSync(other, { recursive: true, mode: 0o700 });
  writeFileSync(join(other, "socket.json"), JSON.stringify({ socket, pid: 1 }));
  const ran = await w.sous(["run", "--mode", "yolo", "--model", "anthropic/x", "go"]);
  server.close();
  expect(ran.code, ran.stderr).toBe(0);
  const result = JSON.stringify(w.server.requests.at(-1)?.body);
  expect(result).toContain("00.sock\\nlooked");
  expect(result).not.toContain("reached\\n");
});
