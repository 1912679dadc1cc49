// A tree of three levels, each of which runs commands that would outlive it, and how what they started is found again.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { call, calls, callsAll, responder, says } from "../src/testing/wire-server/script.ts";
import type { WireRequest } from "../src/testing/wire-server/wire-request.ts";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { type World, journal, world } from "./e2e-kit.ts";

export const treeFlags = ["--mode", "yolo", "--model", "anthropic/x", "--trust"];
const LEVELS = ["the lead", "level two", "level three"];

/** Each level spawns the next in the background and then runs `command` until it is ended; words after that hand in. */
export async function treeOfThree(command: string): Promise<World> {
  const w = await world(
    responder((request: WireRequest) => {
      const first = JSON.stringify((request.body as { messages: unknown[] }).messages[0]);
      const level = LEVELS.findIndex((name) => first.includes(name));
      const below = LEVELS[level + 1];
      const steps = [
        ...(below ? [callsAll(call("spawn_subagent", { prompt: below, agent: "boss", background: true }))] : []),
        calls("Bash", { command }),
        says("I had only begun."),
      ];
      return steps[Math.min(request.turn, steps.length) - 1];
    }),
  );
  mkdirSync(w.dir.join(".sous/agents"), { recursive: true });
  writeFileSync(w.dir.join(".sous/agents/boss.md"), '---\nname: boss\ndescription: d\nspawns: "*"\n---\nYou lead.\n');
  return w;
}

/** Processes `sleep SECONDS`: a number that nobody else sleeps is how they are found. */
export function sleepers(seconds: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && commandLine(name) === `sleep\0${seconds}\0`)
    .map(Number);
}

export const allAsleep = (seconds: string, count: number): Promise<boolean> =>
  waitFor(() => sleepers(seconds).length === count, 20_000);

/** How each level ended, as the journal tells. */
export const endsOf = (w: World): string[] =>
  journal(w.stateDir)
    .flatMap((event) => (event.type === "run.ended" ? [`${event.path} ${event.result.status}`] : []))
    .toSorted();
export const ALL_CANCELLED = ["ROOT cancelled", "ROOT::S1 cancelled", "ROOT::S1::S1 cancelled"];

/** With this in its environment the command throws where nobody catches, at SIGUSR2. */
export const breakable = {
  NODE_OPTIONS: `--require=${fileURLToPath(new URL("fixtures/throw-on-signal.cjs", import.meta.url))}`,
};

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}
