// Trees of this user from any terminal: asked where a process has them open, read and added to where none has.
import { type AgentRow, hasEnded } from "../../core/agent-rows.ts";
import type { Budget, Mode } from "../../core/events.ts";
import type { SessionId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Message } from "../../core/messages.ts";
import type { RunResult } from "../../core/run-result.ts";
import { totalTokens } from "../../core/usage.ts";
import { HostError } from "../host-error.ts";
import { knownMask } from "../known-mask.ts";
import { scopeOf } from "../project-scope.ts";
import { readState } from "../session-store.ts";
import { stateDirOf } from "../state-dir.ts";
import { askHost } from "./ask-host.ts";
import type { Reply } from "./ask-socket.ts";
import { changeBudgetAtRest, changeModeAtRest, sendAtRest } from "./at-rest.ts";
import type { Steered } from "./controlled-tree.ts";
import { type Address, findAddress } from "./find-address.ts";
import { type ListedAgents, agentsOf, listAgents } from "./list-agents.ts";

export type { Steered } from "./controlled-tree.ts";
export type { Address } from "./find-address.ts";

export type AgentReport = {
  readonly agent: AgentRow;
  readonly messages: readonly Message[];
  readonly result: RunResult | undefined;
};
export type Settings = {
  readonly mode: Mode;
  readonly budget: Budget;
  readonly spent: { readonly usd: number | null; readonly tokens: number };
};

export type Remote = {
  readonly stateDir: string;
  find(wanted: string): Promise<Address>;
  list(everything: boolean): Promise<ListedAgents>;
  read(address: Address): Promise<AgentReport>;
  /** Resolves when its run is over (true) or the time is (false). */
  wait(address: Address, timeoutMs: number | undefined, signal: AbortSignal): Promise<boolean>;
  send(to: Address, text: string, how: "steer" | "follow-up"): Promise<Steered>;
  steer(to: Address, what: "interrupt" | "stop" | "background"): Promise<Steered>;
  fork(to: Address, how: { readonly turns?: number; readonly prompt?: string }): Promise<Steered>;
  /** `left`: no process has it open, so that it must be run here. */
  resume(to: Address, prompt?: string): Promise<Steered | "left">;
  settings(tree: SessionId): Promise<Settings>;
  changeMode(tree: SessionId, mode: Mode): Promise<void>;
  changeBudget(tree: SessionId, change: Budget): Promise<void>;
};

export type RemoteOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stateDir?: string;
  /** Whose project `last` is about. */
  readonly cwd?: string;
};

const NOTHING_TO = {
  interrupt: "nothing to interrupt",
  stop: "nothing to stop",
  background: "nothing that waits for it",
} as const;
/** What goes on only with words. */
const ENDED_FOR_GOOD: ReadonlySet<string> = new Set(["succeeded", "partial", "empty", "refused", "stalled"]);

export function createRemote({ env, stateDir: given, cwd = process.cwd() }: RemoteOptions): Remote {
  const stateDir = stateDirOf(env, given);
  const rest = { stateDir, mask: knownMask(env) };

  /** By its host, or without one by ourselves. A host may come or go in between. */
  async function either<T>(tree: SessionId, request: JsonObject, atRest: () => Promise<T>): Promise<T | Reply> {
    const reply = await askHost({ stateDir, tree, request, repeatable: true });
    if (reply === "left") return atRest();
    if (!reply.ok) throw new HostError(String(reply["problem"]), "failed");
    return reply;
  }

  /** Effects are asked for once: a host that went away in between may have had them. */
  async function steered({ tree, session }: Address, request: JsonObject): Promise<Steered | "left"> {
    const reply = await askHost({ stateDir, tree, request: { ...request, to: session }, repeatable: false });
    if (reply === "left") return "left";
    if (reply.ok) return { ok: true, said: String(reply["said"]) };
    return { ok: false, problem: String(reply["problem"]) };
  }

  async function notRunning({ tree, session, path }: Address, what: keyof typeof NOTHING_TO): Promise<Steered> {
    const agent = (await agentsOf(stateDir, tree)).find((row) => row.id === session);
    const ended = agent === undefined || ENDED_FOR_GOOD.has(agent.status);
    const next = `sous resume ${session}${ended ? " TEXT" : ""} goes on with it`;
    const problem = `${path} of ${tree} does not run (${agent?.status ?? "unknown"}), so there is ${NOTHING_TO[what]}: ${next}`;
    return { ok: false, problem };
  }

  return {
    stateDir,
    find: async (wanted) => findAddress(stateDir, wanted, await scopeOf(cwd, env)),
    list: (everything) => listAgents(stateDir, everything),
    async read({ tree, session }) {
      const { state } = await readState(stateDir, tree);
      const agent = (await agentsOf(stateDir, tree)).find((row) => row.id === session);
      const found = state.sessions.get(session);
      if (!agent || !found) throw new HostError(`session ${session} has no readable record`, "failed");
      return { agent, messages: found.messages, result: hasEnded(agent) ? found.result : undefined };
    },
    async wait({ tree, session }, timeoutMs, signal) {
      const request = { op: "wait", to: session, ...(timeoutMs !== undefined && { timeoutMs }) };
      const reply = await askHost({ stateDir, tree, request, repeatable: true, signal });
      if (reply === "left") return true;
      if (!reply.ok) throw new HostError(String(reply["problem"]), "failed");
      return reply["over"] === true;
    },
    async send(to, text, how) {
      const done = await steered(to, { op: "send", text, how });
      if (done !== "left") return done;
      const next = await sendAtRest(rest, to, text, how);
      return { ok: true, said: `kept for ${to.path}: sous resume ${next} goes on with it` };
    },
    async steer(to, what) {
      const done = await steered(to, { op: what });
      return done === "left" ? notRunning(to, what) : done;
    },
    async fork(to, how) {
      const done = await steered(to, { op: "fork", ...how });
      if (done !== "left") return done;
      return (await import("./fork-at-rest.ts")).forkAtRest(rest, to, how);
    },
    resume: (to, prompt) => steered(to, { op: "resume", ...(prompt !== undefined && { prompt }) }),
    async settings(tree) {
      const { state } = await readState(stateDir, tree);
      const spent = { usd: state.cost.costUsd, tokens: totalTokens(state.cost) };
      return { mode: state.mode, budget: state.budget, spent };
    },
    async changeMode(tree, mode) {
      await either(tree, { op: "mode", mode }, () => changeModeAtRest(rest, tree, mode));
    },
    async changeBudget(tree, change) {
      await either(tree, { op: "budget", ...change }, () => changeBudgetAtRest(rest, tree, change));
    },
  };
}
