// A history from which damage took some records, made whole enough to go on with: every call of a past turn has a
// result, and every answer something it answers. Only for folding; nothing of it is ever written. Pure.
import type { DurableEvent, Recorded } from "./events.ts";
import { type CallId, type SessionId, inputId } from "./ids.ts";
import { text } from "./messages.ts";

const LOST_MESSAGE = "[This message was damaged in the record and is lost.]";
const LOST_RESULT = "Interrupted, outcome unknown: the record of its result was damaged.";

export function mendHistory(events: readonly Recorded[]): Recorded[] {
  const mended: Recorded[] = [];
  const admitted = new Set<string>();
  const begun = new Set<SessionId>();
  const open = new Map<SessionId, Set<CallId>>();

  for (const event of events) {
    const { session } = event;
    const insert = (made: DurableEvent): void => void mended.push(recordedAs(event, made));
    const admit = (input: string): void => {
      const id = inputId(input.replace(/^input-/, ""));
      insert({ type: "input.admitted", input: id, from: "system", how: "steer", content: [text(LOST_MESSAGE)] });
    };
    const goesOn = event.type === "turn.started" || event.type === "assistant.replied";
    if (goesOn || event.type === "input.promoted") {
      for (const call of open.get(session) ?? [])
        insert({
          type: "tool.ended",
          call,
          outcome: { ok: false, why: "interrupted", said: [text(LOST_RESULT)] },
          durationMs: 0,
        });
      open.delete(session);
    }
    if (goesOn && !begun.has(session)) {
      const input = inputId(`lost-${session}`);
      admit(input);
      insert({ type: "input.promoted", input });
      begun.add(session);
    }
    if (event.type === "input.admitted") admitted.add(event.input);
    if (event.type === "input.promoted" && !admitted.has(event.input)) admit(event.input);
    if (event.type === "input.promoted" || event.type === "context.compacted") begun.add(session);
    if (event.type === "assistant.replied") open.set(session, callsOf(event));
    if (event.type === "tool.ended") open.get(session)?.delete(event.call);
    mended.push(event);
  }
  return mended;
}

const callsOf = ({ content }: Extract<DurableEvent, { type: "assistant.replied" }>): Set<CallId> =>
  new Set(content.flatMap((part) => (part.type === "call" || part.type === "bad-call" ? [part.call] : [])));

/** In the place of the record before which it is missing. */
function recordedAs({ v, seq, time, epoch, session, path, parent }: Recorded, event: DurableEvent): Recorded {
  return { v, seq, time, epoch, session, path, ...(parent && { parent }), ...event };
}
