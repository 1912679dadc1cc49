// Whether a call may run: by judgement, by a hook, or by a person, who is asked only about what could be done as things
// stand.
import type { RunEvent } from "../../core/events.ts";
import type { HookEvent } from "../../core/hooks/hook-events.ts";
import type { HookVerdict } from "../../core/hooks/merge-meanings.ts";
import type { JsonObject } from "../../core/json.ts";
import type { CallPart } from "../../core/messages.ts";
import { type Reach, type RunAs, type Verdict, asAsked } from "../../core/permissions.ts";
import { exactRule, ruleText } from "../../core/rules.ts";
import { isUnknown } from "../../core/unknown-calls.ts";
import type { Tool } from "../tools/define-tool.ts";
import { callFields, fire } from "./hooking.ts";
import type { Mark, Run } from "./run.ts";

/** Parked: the call waits for a person who is not there. */
export type Consent =
  | { readonly is: "given"; readonly runAs?: RunAs }
  | { readonly is: "refused"; readonly reason: string }
  /** It would fail as things stand: nobody is asked, and a yes that comes after a change does not count. */
  | { readonly is: "impossible"; readonly reason: string }
  | { readonly is: "parked" };
const given: Consent = { is: "given" };
const refusedFor = (reason: string): Consent => ({ is: "refused", reason });

/** A call that is ready to run, if it may. `input` is what would run, which a hook may have changed. */
type Ready = {
  readonly part: CallPart;
  readonly tool: Tool;
  readonly input: JsonObject;
  readonly reach: readonly Reach[];
  readonly hooked: HookVerdict["permission"];
};

export async function* consent(
  run: Run,
  { part, tool, input, reach, hooked }: Ready,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, Consent, Mark> {
  if (run.state.batch?.byPerson) return given;
  // A hook that allows resolves what the mode would, and nothing else: rules that deny or ask, and read-only, hold.
  const mode = hooked?.is === "allow" ? "yolo" : run.tree.mode;
  const outcomeUnknown = isUnknown(run.state, part);
  const asked = { tool: tool.name, input, reach, mode, outcomeUnknown };
  const judged = run.guard.judge(asked);
  if (judged.is === "deny") return refusedFor(judged.because);
  // What a hook asks is no question of the mode: another mode does not answer it.
  const verdict = hooked?.is === "ask" ? askedByHook(hooked.because, tool.name, reach) : judged;
  if (verdict.is !== "ask") {
    if (mode !== run.tree.mode && run.guard.judge({ ...asked, mode: run.tree.mode }).is === "ask")
      yield allowedByHook(tool, "PreToolUse", hooked?.because);
    return verdict.is === "allow" && verdict.run ? { is: "given", runAs: verdict.run } : given;
  }
  const problem = await impossible(run, tool, input, reach, signal);
  if (problem) return problem;
  const call = { ...callFields(part, tool.name, input), reason: verdict.because };
  const { permission } = await fire(run, "PermissionRequest", call, signal);
  if (permission?.is === "allow") {
    yield allowedByHook(tool, "PermissionRequest", permission.because);
    return given;
  }
  if (permission?.is === "deny") return refusedFor(`a hook: ${permission.because}`);
  yield { type: "agent.waiting", for: "approval", since: run.clock.now(), detail: tool.name };
  try {
    const { is: _is, ...why } = verdict;
    const approval = { tool: tool.name, input, reach: reach.map(asAsked), ...why };
    const decision = await run.inbox.approve(approval, part.call, signal);
    if (decision === "parked") return { is: "parked" };
    if (!decision.allow) return refusedFor(decision.reason);
    return (await impossible(run, tool, input, reach, signal)) ?? given;
  } catch (error) {
    // A question that was cut off is no answer; its call is told as interrupted, and the others are not disturbed.
    if (signal.aborted) return refusedFor("the run was stopped first");
    throw error;
  }
}

async function impossible(
  { workspace, copies, files, shells }: Run,
  tool: Tool,
  input: JsonObject,
  reach: readonly Reach[],
  signal: AbortSignal,
): Promise<Consent | undefined> {
  const world = { workspace, files, shells, reach, signal, ...(copies && { copies }) };
  try {
    const reason = await tool.check?.(world, input);
    return reason === undefined ? undefined : { is: "impossible", reason };
  } catch (error) {
    if (signal.aborted) return refusedFor("the run was stopped first");
    return {
      is: "impossible",
      reason: `${tool.name} failed: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

/** What nobody was asked is on record. */
const allowedByHook = ({ name }: Tool, event: HookEvent, because = ""): RunEvent => ({
  type: "note.added",
  kind: "hook",
  text: `a hook on ${event} allowed ${name}: ${because}`,
});

const askedByHook = (because: string, tool: string, reach: readonly Reach[]): Extract<Verdict, { is: "ask" }> => ({
  is: "ask",
  because: `a hook asks: ${because}`,
  allowWith: ruleText(exactRule(tool, reach)),
  always: { not: "a hook asks every time" },
});
