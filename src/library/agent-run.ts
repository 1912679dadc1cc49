// One run as its caller holds it: the promise of its result, its events, and the ways to steer and end it.
import type { StreamEvent } from "../core/events.ts";
import type { Json } from "../core/json.ts";
import { HostError } from "../host/host-error.ts";
import type { LiveRun } from "../host/conversation.ts";
import { type ChildControls, childControls } from "./child-controls.ts";
import { createEventStream } from "./event-stream.ts";
import type { WatchOptions } from "./options.ts";
import type { AgentEvent } from "./sub-agent-events.ts";
import { type SubAgentResult, subAgentResult } from "./sub-agent-result.ts";

/**
 * A run under way. Await it for the result, whatever became of the agent: it rejects only when the run cannot begin.
 */
export type AgentRun<Structured = Json> = Promise<SubAgentResult<Structured>> & {
  /**
   * Every event from when the iteration begins: begin it before anything else is awaited to see all. Leaving the loop
   * ends nothing but the loop.
   */
  readonly events: AsyncIterable<AgentEvent>;
  /** Says something to the agent: `steer` reaches it before its next turn, `follow-up` when it would end. */
  send(text: string, how?: "steer" | "follow-up"): Promise<void>;
  /** Interrupts it and gives it one turn to hand in what it has. */
  handIn(because?: string): Promise<void>;
  /** Ends it at once. */
  stop(because?: string): Promise<void>;
  /** One agent below it, by its `agentId`. */
  child(agentId: string): ChildControls;
};

/** `begin` gives the run when it has begun; `after` is done when it has ended or could not begin. */
export function agentRun(
  begin: (watch: (event: AgentEvent) => void) => Promise<LiveRun>,
  after: () => Promise<void>,
  { signal, onEvent, innerMessages = false }: WatchOptions,
  notice: (words: string) => void,
): AgentRun {
  const stream = createEventStream<AgentEvent>(isLive);
  let tell = onEvent;
  let over = false;
  const watch = (event: AgentEvent): void => {
    stream.publish(event);
    try {
      tell?.(event);
    } catch (error) {
      // Events observe and never change a run.
      tell = undefined;
      notice(`onEvent is called no more: it threw ${String(error)}`);
    }
  };
  const begun = (async () => {
    signal?.throwIfAborted();
    return begin(watch);
  })();
  const stop = async (because = "stopped by the program"): Promise<void> => {
    const live = await begun;
    if (!over) await live.send({ type: "stop", halt: { status: "cancelled", by: "program", because } });
  };

  async function toItsEnd(): Promise<SubAgentResult> {
    const onAbort = (): void => void stop(reasonOf(signal?.reason));
    try {
      const live = await begun;
      if (signal?.aborted) onAbort();
      signal?.addEventListener("abort", onAbort, { once: true });
      const result = await live.result;
      return subAgentResult(result, innerMessages ? live.messages() : undefined);
    } finally {
      over = true;
      signal?.removeEventListener("abort", onAbort);
      await after();
    }
  }

  const result: Promise<SubAgentResult> = toItsEnd().then(
    (value) => {
      stream.end();
      return value;
    },
    (error: unknown) => {
      // Who reads the events is told there, and need not await the run as well.
      if (stream.isRead) result.catch(() => {});
      stream.end(error);
      throw error;
    },
  );
  return Object.assign(result, {
    events: stream.events,
    stop,
    child: (agentId: string) => childControls(begun, agentId),
    async handIn(because = "the program asked to hand in") {
      const live = await begun;
      if (!over) await live.send({ type: "hand-in", halt: { status: "cancelled", by: "program", because } });
    },
    async send(text: string, how: "steer" | "follow-up" = "steer") {
      const live = await begun;
      if (over) throw new HostError("the run has ended: ask again in its session", "usage", "closed");
      await live.send({ type: "message", text, how });
    },
  });
}

const reasonOf = (reason: unknown): string => (reason instanceof Error ? reason.message : "stopped by the program");

const isLive = (event: AgentEvent): boolean =>
  event.type === "sub_agent_progress" ? isLive(event.event) : "live" in (event as StreamEvent);
