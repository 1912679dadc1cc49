import { expect, test } from "vitest";
import type { StreamEvent } from "./events.ts";
import { ROOT, type CallId, sessionId } from "./ids.ts";
import { type Waits, foldWaits, waitOf } from "./waits.ts";

const session = sessionId("00000000-0000-4000-8000-000000000001");
const child = sessionId("00000000-0000-4000-8000-000000000002");

/** What is waited for after each of the events. */
function after(...events: readonly object[]): readonly (string | undefined)[] {
  const waits: Waits = new Map();
  return events.map((event, at) => {
    foldWaits(waits, { session, path: ROOT, time: at, ...event } as StreamEvent);
    const wait = waitOf(waits, "child" in event ? child : session);
    return wait && `${wait.for}${wait.detail === undefined ? "" : ` ${wait.detail}`} since ${wait.since}`;
  });
}

const started = (call: string, tool: string, lasting = false): object => ({
  type: "tool.started",
  call: call as CallId,
  tool,
  lasting,
});
const ended = (call: string): object => ({ type: "tool.ended", call: call as CallId });

test("X4: an agent waits for its model, then for its tools, and of several for the one that has run longest", () => {
  expect(
    after(
      { type: "turn.started" },
      { type: "agent.waiting", for: "retry", since: 7, detail: "overloaded" },
      { type: "assistant.replied" },
      started("a", "Bash"),
      started("b", "spawn_subagent", true),
      ended("b"),
      ended("a"),
      { type: "agent.waiting", for: "approval", since: 9 },
      { type: "run.paused" },
    ),
  ).toEqual([
    "model since 0",
    "retry overloaded since 7",
    undefined,
    "tool Bash since 3",
    "child spawn_subagent since 4",
    "tool Bash since 3",
    undefined,
    "approval since 9",
    undefined,
  ]);
});

test("X4: a child without a place waits for one", () => {
  expect(after({ type: "child.queued", child, place: 3 })).toEqual(["slot place 3 since 0"]);
});
