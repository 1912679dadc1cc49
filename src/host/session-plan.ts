// What a run begins with: from the person's wishes alone, or from those over what the session's record says.
import type { AgentDefinition } from "../core/agents/definition.ts";
import { mayWrite } from "../core/binding.ts";
import type { Budget, DurableEvent, ExitRules, Limits, Mode, Protocol, StandingPermissions } from "../core/events.ts";
import { type SessionId, sessionId } from "../core/ids.ts";
import type { SessionState } from "../core/session-state.ts";
import type { TreeState } from "../core/tree-state.ts";
import type { ExitWish } from "./exit-rules.ts";
import { HostError } from "./host-error.ts";
import { type Standing, isSame, joinStanding, toRecord } from "./standing.ts";

export type Wishes = Standing &
  ExitWish & {
    readonly prompt?: string;
    /** The prompt is for this child and not for the lead. */
    readonly child?: SessionId;
    readonly cwd: string;
    readonly model?: string;
    readonly mode?: Mode;
    readonly protocol?: Protocol;
    readonly limits: Limits;
    readonly budget: Budget;
  };

export type SessionPlan = {
  readonly session: SessionId;
  readonly prompt: string | undefined;
  readonly cwd: string;
  readonly model: string | undefined;
  readonly limits: Limits;
  readonly budget: Budget;
  readonly protocol: Protocol;
  readonly standing: Standing;
  /** To be recorded before the prompt. */
  opening(model: string, cwd: string, version: string, trigger: string, exit?: ExitRules): DurableEvent[];
};

/** `definition`: what it runs as, where it is not Sous's own lead. */
export function planNew(uuid: string, wishes: Wishes, definition?: AgentDefinition): SessionPlan {
  const { prompt, budget } = wishes;
  if (prompt === undefined || prompt.trim() === "") throw new HostError("a new session needs a prompt");
  return {
    session: sessionId(uuid),
    prompt,
    cwd: wishes.cwd,
    model: wishes.model,
    limits: wishes.limits,
    budget,
    protocol: wishes.protocol ?? "tools",
    standing: joinStanding({}, wishes),
    opening: (model, cwd, version, trigger, exit) => [
      {
        type: "session.opened",
        agent: definition?.name ?? "lead",
        ...(wishes.protocol && { protocol: wishes.protocol }),
        capability: "primary",
        model,
        binding: { cwd, isolation: "shared", allowWrites: definition === undefined || mayWrite(definition) },
        permissions: { mode: wishes.mode ?? "confirm", ...toRecord(wishes) },
        trigger,
        ...(exit && { exit }),
        ...(definition && { definition: { ...withoutLines(definition), problems: [] } }),
        title: titleOf(prompt),
        version,
      },
      ...(hasAny(budget) ? [{ type: "budget.changed" as const, budget }] : []),
    ],
  };
}

/** Everything that is not wished otherwise stays as it was: model, mode, rules, folders, limits, budget. */
export function planResume(tree: TreeState, state: SessionState, wishes: Wishes): SessionPlan {
  // Turns and time come from the configuration, as it is now.
  const { turns: _turns, ms: _ms, ...kept } = tree.budget;
  const budget = { ...kept, ...wishes.budget };
  const before = state.opened?.permissions ?? {};
  const standing = joinStanding(before, wishes);
  return {
    session: state.session,
    prompt: wishes.child ? undefined : (wishes.prompt ?? promptFor(state)),
    cwd: state.opened?.binding.cwd ?? wishes.cwd,
    model: wishes.model ?? state.opened?.model,
    limits: { ...state.limits, ...wishes.limits },
    budget,
    protocol: wishes.protocol ?? state.opened?.protocol ?? "tools",
    standing,
    opening: (model, _cwd, _version, _trigger, exit) => [
      ...(isSameBudget(budget, tree.budget) ? [] : [{ type: "budget.changed" as const, budget }]),
      ...(wishes.mode && wishes.mode !== state.mode ? [{ type: "mode.changed" as const, mode: wishes.mode }] : []),
      ...settingsChanged(state.opened?.model === model ? undefined : model, before, toRecord(standing)),
      ...(isSameExit(state.opened?.exit, exit) ? [] : [{ type: "settings.changed" as const, exit: exit ?? {} }]),
    ],
  };
}

function settingsChanged(
  model: string | undefined,
  before: StandingPermissions,
  permissions: StandingPermissions,
): DurableEvent[] {
  const changed = !isSame(before, permissions);
  if (model === undefined && !changed) return [];
  return [{ type: "settings.changed", ...(model !== undefined && { model }), ...(changed && { permissions }) }];
}

/** What to say to a session that is resumed without words; nothing where it simply goes on. */
function promptFor(state: SessionState): string | undefined {
  // Words that came while nobody had it open, for it or for a child, are what it goes on with.
  if (state.waiting.some(({ from }) => from === "person")) return undefined;
  if (state.children.values().some(({ background, ended }) => background && !ended)) return undefined;
  switch (state.status) {
    case "new":
    case "running":
    case "paused":
    case "parked":
    case "failed":
    case "interrupted":
      if (state.waiting.length === 0 && (state.messages.length === 0 || isIdleFork(state)))
        throw new HostError(`session ${state.session} has no prompt yet: give one to go on`);
      return undefined;
    case "limit":
    case "cancelled":
      return "Go on where you were interrupted.";
    default:
      throw new HostError(`session ${state.session} has ended (${state.status}): give a prompt to go on with it`);
  }
}

/** It begins where another had said its last word. */
const isIdleFork = ({ status, messages }: SessionState): boolean =>
  status === "new" && messages.at(-1)?.role === "assistant";

const withoutLines = ({ lines: _lines, ...definition }: AgentDefinition): AgentDefinition => definition;

const isSameExit = (a: ExitRules = {}, b: ExitRules = {}): boolean => JSON.stringify(a) === JSON.stringify(b);

const isSameBudget = (a: Budget, b: Budget): boolean =>
  a.usd === b.usd && a.tokens === b.tokens && a.turns === b.turns && a.ms === b.ms;
const hasAny = (budget: Budget): boolean => !isSameBudget(budget, {});

function titleOf(prompt: string): string {
  const line = prompt.trim().split("\n")[0] ?? "";
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
}
