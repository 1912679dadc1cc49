// What each agent of a tree waits for and since when, kept from the stream for whoever looks. Live: never stored.
import type { StreamEvent, WaitingFor } from "./events.ts";
import type { CallId, SessionId } from "./ids.ts";

export type Wait = { readonly for: WaitingFor; readonly since: number; readonly detail?: string };
type Busy = { wait: Wait | undefined; readonly calls: Map<CallId, Wait> };
export type Waits = Map<SessionId, Busy>;

export const waitOf = (waits: Waits, session: SessionId): Wait | undefined => waits.get(session)?.wait;

export function foldWaits(waits: Waits, event: StreamEvent): void {
  switch (event.type) {
    case "agent.waiting": {
      const { since, detail } = event;
      busy(waits, event.session).wait = { for: event.for, since, ...(detail !== undefined && { detail }) };
      return;
    }
    case "turn.started":
      busy(waits, event.session).wait = { for: "model", since: event.time };
      return;
    case "assistant.replied":
      busy(waits, event.session).wait = undefined;
      return;
    case "tool.started": {
      const agent = busy(waits, event.session);
      agent.wait = { for: event.lasting ? "child" : "tool", since: event.time, detail: event.tool };
      agent.calls.set(event.call, agent.wait);
      return;
    }
    case "tool.ended": {
      const agent = busy(waits, event.session);
      agent.calls.delete(event.call);
      // The one that has run longest, of those side by side that still do.
      agent.wait = agent.calls.values().next().value;
      return;
    }
    case "child.queued":
      busy(waits, event.child).wait = { for: "slot", since: event.time, detail: `place ${event.place}` };
      return;
    case "run.started":
    case "run.paused":
    case "run.parked":
    case "run.ended":
      waits.delete(event.session);
      return;
  }
}

function busy(waits: Waits, session: SessionId): Busy {
  let agent = waits.get(session);
  if (!agent) waits.set(session, (agent = { wait: undefined, calls: new Map() }));
  return agent;
}
