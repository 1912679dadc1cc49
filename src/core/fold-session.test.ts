import { expect, test } from "vitest";
import { everyEvent } from "./event-shape-test-kit.ts";
import type { DurableEvent, Recorded } from "./events.ts";
import { foldSession } from "./fold-session.ts";
import { ROOT, sessionId } from "./ids.ts";
import { text } from "./messages.ts";
import { newSession } from "./session-state.ts";

const session = sessionId("00000000-0000-7000-8000-000000000001");

function folded(...events: readonly DurableEvent[]) {
  const state = newSession(session, ROOT);
  for (const [at, event] of events.entries())
    foldSession(state, { v: 1, seq: at + 1, time: at, epoch: 1, session, path: ROOT, ...event } as Recorded);
  return state;
}

const {
  "session.opened": opened,
  "assistant.replied": replied,
  "tool.started": started,
  "tool.ended": ended,
} = everyEvent;

test("X9, X3: a call that is begun again after a crash is counted once", () => {
  const state = folded(opened, replied, { ...started, repeatable: true }, { ...started, repeatable: true }, ended);
  expect(state.toolCalls).toBe(1);
  expect(state.tally.calls).toEqual({ Bash: 1 });
});

test("X3: calls that were left out because the agent had ended are neither interrupted nor undone work", () => {
  const result = { ...ended, outcome: { ok: true, said: [text("Yielded.")], ends: { output: "done" } } } as const;
  const [, , call] = replied.content;
  const two = { ...replied, content: [call!, { ...call!, call: "call-2" as never }] };
  const leftOut = {
    ...ended,
    call: "call-2" as never,
    outcome: { ok: false, why: "failed", said: [text("Not run: the agent has ended.")] },
  } as const;
  const state = folded(opened, two, started, result, leftOut);
  expect(state.tally).toMatchObject({ interrupted: 0, refused: 0, unmade: undefined });
  expect(state.toolCalls).toBe(1);
});
