// What must be settled before a session goes on: calls that a dead process left open. Pure: gives the events.
import type { DurableEvent } from "../../core/events.ts";
import { callWords } from "../../core/call-words.ts";
import type { CallId } from "../../core/ids.ts";
import { hasMask } from "../../core/mask.ts";
import { text } from "../../core/messages.ts";
import type { OpenCall } from "../../core/call-batch.ts";
import type { SessionState } from "../../core/session-state.ts";

/**
 * A call that was never begun, or only reads, is left open for the loop to run, unless a person speaks first or a
 * secret in it was masked: then it is told as interrupted, as is a question (`isAsked`) that the person passes over. A call that had begun and may have had its effect is never run again: its outcome is unknown.
 */
export function settle(
  state: SessionState,
  personSpeaks: boolean,
  isAsked: (call: CallId) => boolean = () => false,
): DurableEvent[] {
  const events: DurableEvent[] = [];
  for (const call of state.batch?.open.values() ?? []) {
    if (call.lasting && !(personSpeaks && isAsked(call.part.call))) continue;
    const said = call.lasting ? "Not answered: the person says something else instead." : explain(call, personSpeaks);
    if (said === undefined) continue;
    events.push({
      type: "tool.ended",
      call: call.part.call,
      outcome: { ok: false, why: "interrupted", said: [text(said)] },
      durationMs: 0,
    });
    if (call.started && !call.repeatable)
      events.push({ type: "note.added", kind: "outcome-unknown", text: `${callWords(call.part)}: ${said}` });
  }
  return events;
}

function explain(call: OpenCall, personSpeaks: boolean): string | undefined {
  if (call.started && !call.repeatable)
    return "Interrupted, outcome unknown: the process died while this ran, so it may or may not have had its effect. Check before you do it again; the same call again needs a person's consent.";
  if (call.part.type === "call" && hasMask(JSON.stringify(call.part.input)))
    return "Not run: a secret in it was masked in the record, so it is not the call that was asked for.";
  if (!personSpeaks) return undefined;
  return call.started ? "Interrupted: no result was kept." : "Interrupted: it was not run.";
}
