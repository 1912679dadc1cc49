// Children as their parent's stream shows them: start, every event of the child, end. Made from the child's own events
// while they pass; nothing is stored for it.
import { ROOT, type AgentPath, type CallId, type SessionId } from "../core/ids.ts";
import type { StreamEvent } from "../core/events.ts";
import type { JsonObject } from "../core/json.ts";
import type { SessionState } from "../core/session-state.ts";
import { type SubAgentResult, subAgentResult } from "./sub-agent-result.ts";

/** Which child it is: two runs of one agent differ in all but `subAgentName`. */
export type SubAgentIds = {
  readonly subAgentName: string;
  /** The call of its parent that made it. */
  readonly toolCallId: CallId;
  /** Its session. */
  readonly agentId: SessionId;
  readonly path: AgentPath;
};

/** A child begins. `input` is what the call gave it. */
export type SubAgentStart = SubAgentIds & { readonly type: "sub_agent_start"; readonly input: JsonObject };
/** Something happened in a child; what happens in its own children is told within. */
export type SubAgentProgress = SubAgentIds & { readonly type: "sub_agent_progress"; readonly event: AgentEvent };
/** A child's run has ended. */
export type SubAgentEnd = SubAgentIds & { readonly type: "sub_agent_end"; readonly result: SubAgentResult };

/** What a run's stream carries: the agent's own events, and its children. */
export type AgentEvent = StreamEvent | SubAgentStart | SubAgentProgress | SubAgentEnd;

type Known = { readonly ids: SubAgentIds; readonly parent: SessionId };

/** The stream of a tree's root, from the events of the whole tree in their order. */
export function createSubAgentView(
  stateOf: (session: SessionId) => Pick<SessionState, "opened" | "path"> | undefined,
): (event: StreamEvent) => readonly AgentEvent[] {
  const started = new Set<SessionId>();
  const inputs = new Map<string, JsonObject>();

  function known(session: SessionId): Known | undefined {
    const { opened, path } = stateOf(session) ?? {};
    if (!opened?.spawnedBy || !path) return undefined;
    const { session: parent, call } = opened.spawnedBy;
    return { ids: { subAgentName: opened.agent, toolCallId: call, agentId: session, path }, parent };
  }

  /** As the root sees what the stream of `session` shows. */
  function lifted(session: SessionId, events: readonly AgentEvent[]): readonly AgentEvent[] {
    const child = known(session);
    if (!child) return events;
    return lifted(
      child.parent,
      events.map((event) => ({ type: "sub_agent_progress", ...child.ids, event })),
    );
  }

  /** Nothing of a child is told before its start, nor its start before its parent's. */
  function begun(session: SessionId, event: StreamEvent): readonly AgentEvent[] {
    const child = known(session);
    if (!child || started.has(session)) return [];
    started.add(session);
    const start: SubAgentStart = { type: "sub_agent_start", ...child.ids, input: inputOf(child, event) };
    return [...begun(child.parent, event), ...lifted(child.parent, [start])];
  }

  function inputOf({ ids, parent }: Known, event: StreamEvent): JsonObject {
    // Never from this process's state: that holds secrets, which events and earlier records do not.
    const opened =
      event.type === "session.opened" && event.session === ids.agentId ? event : stateOf(ids.agentId)?.opened;
    return inputs.get(`${parent} ${ids.toolCallId}`) ?? { prompt: opened?.child?.task ?? "" };
  }

  return (event) => {
    if (event.type === "tool.started" && event.lasting) inputs.set(`${event.session} ${event.call}`, event.input);
    if (event.type === "tool.ended") inputs.delete(`${event.session} ${event.call}`);
    if (event.path === ROOT) return [event];
    const child = known(event.session);
    if (!child) return [];
    const told = [...begun(event.session, event), ...lifted(event.session, [event])];
    if (event.type !== "run.ended") return told;
    started.delete(event.session);
    const end: SubAgentEnd = { type: "sub_agent_end", ...child.ids, result: subAgentResult(event.result) };
    return [...told, ...lifted(child.parent, [end])];
  };
}
