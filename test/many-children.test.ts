// Many short children, each with a process of its own, one after the other and then at once: the engine is left as it
// was, without a zombie, a descriptor or memory that nobody needs any more.
import { existsSync, mkdirSync, readFileSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { call, calls, callsAll, responder, says } from "../src/testing/wire-server/script.ts";
import type { WireRequest } from "../src/testing/wire-server/wire-request.ts";
import { GATE, background, journal, openGate, resultIn, world } from "./e2e-kit.ts";

const soak = process.env["SOAK"] === "1";
/** One boss after the other, and each its children one after the other: no history grows long, no limit of turns is met. */
const BOSSES = soak ? 125 : 6;
const OF_A_BOSS = soak ? 40 : 10;
const AT_ONCE = soak ? 200 : 40;
const CHILDREN = BOSSES * OF_A_BOSS;

type Sample = { readonly descriptors: number; readonly zombies: number; readonly megabytes: number };

function sample(pid: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return {
    descriptors: readdirSync(`/proc/${pid}/fd`).length - connectionsOf(pid),
    zombies: zombiesOf(pid),
    megabytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
  };
}

/** Kept open to the model's server for a next request. */
function connectionsOf(pid: number): number {
  const tcp = readFileSync(`/proc/${pid}/net/tcp`, "utf8").split("\n");
  const inodes = new Set(tcp.map((line) => `socket:[${line.trim().split(/\s+/)[9]}]`));
  return readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return inodes.has(readlinkSync(`/proc/${pid}/fd/${fd}`));
    } catch {
      return false;
    }
  }).length;
}

function zombiesOf(parent: number): number {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
      const [state, ppid] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return state === "Z" && Number(ppid) === parent;
    } catch {
      return false;
    }
  }).length;
}

const spawn = (prompt: string, agent = "general-purpose") => call("spawn_subagent", { prompt, agent });

test(
  `P.P04: ${CHILDREN} short children in sequence, then ${AT_ONCE} at once, a process each: no zombie, descriptors as before, memory flat`,
  async () => {
    const samples: Sample[] = [];
    const lead = (turn: number) => {
      if (turn > 1 && turn <= BOSSES + 1) samples.push(sample(started.child.pid!));
      if (turn <= BOSSES) return callsAll(spawn(`a row, number ${turn}`, "boss"));
      if (turn > BOSSES + 2) return says("all in");
      if (turn > BOSSES + 1) return calls("Bash", { command: `touch waiting; ${GATE}` });
      return callsAll(...Array.from({ length: AT_ONCE }, (_, n) => spawn(`a task, number ${n}`)));
    };
    await using w = await world(
      responder((request: WireRequest) => {
        const { turn } = request;
        const first = JSON.stringify((request.body as { messages: unknown[] }).messages[0]);
        if (first.includes("a task")) return turn === 1 ? calls("Bash", { command: "echo x" }) : says("done");
        if (first.includes("a row"))
          return turn <= OF_A_BOSS ? callsAll(spawn(`a task, number ${turn}`)) : says("a row done");
        return lead(turn);
      }),
      { record: false },
    );
    mkdirSync(w.dir.join(".sous/agents"), { recursive: true });
    writeFileSync(w.dir.join(".sous/agents/boss.md"), '---\nname: boss\ndescription: d\nspawns: "*"\n---\nYou lead.\n');
    const limits = { maxConcurrent: AT_ONCE, maxAgents: CHILDREN + BOSSES + AT_ONCE + 1 };
    writeFileSync(w.dir.join("config.json"), JSON.stringify({ limits }));
    const flags = ["--config", w.dir.join("config.json"), "--mode", "yolo", "--trust", "--model", "anthropic/x"];
    const started = background(w, "run", ...flags, "-o", "json", "go");
    const pid = started.child.pid!;
    await waitFor(() => existsSync(w.dir.join("waiting")), soak ? 3_000_000 : 100_000, 100);
    const [first, third, last] = [samples[0]!, samples[Math.floor(BOSSES / 3)]!, samples.at(-1)!];
    const after = sample(pid);
    // The command that waits has three of its own.
    expect(after.descriptors).toBeLessThanOrEqual(first.descriptors + 3 + 5);
    if (soak) process.stdout.write(`${JSON.stringify({ first, third, last, after })}\n`);
    // Connections are kept for a next request, and given up after a minute.
    if (soak) await waitFor(() => connectionsOf(pid) === 0, 90_000, 500);
    openGate(w);
    const ended = await started.ended;
    expect(resultIn(ended.stdout), ended.stderr).toMatchObject({ status: "succeeded", output: "all in" });
    const statuses = journal(w.stateDir).flatMap((event) => (event.type === "run.ended" ? [event.result.status] : []));
    expect(statuses).toEqual(Array(CHILDREN + BOSSES + AT_ONCE + 1).fill("succeeded"));
    expect([...samples, after].map(({ zombies }) => zombies)).toEqual(Array(samples.length + 1).fill(0));
    expect(last.descriptors).toBeLessThanOrEqual(first.descriptors + 5);
    expect(last.megabytes).toBeLessThan(third.megabytes + (soak ? 60 : 30));
  },
  soak ? 3_600_000 : 120_000,
);
