import { describe, expect, test } from "vitest";
import type { DurableEvent, Recorded } from "./events.ts";
import { everyEvent } from "./event-shape-test-kit.ts";
import { type CallId, ROOT, inputId, sessionId } from "./ids.ts";
import { mendHistory } from "./mend-history.ts";
import { text, type Message } from "./messages.ts";
import { foldTree, newTree } from "./tree-state.ts";

const session = sessionId("00000000-0000-4000-8000-000000000001");
const says = (n: number): DurableEvent => ({ ...everyEvent["assistant.replied"], turn: n, content: [text(`a${n}`)] });
const ask = (n: number): DurableEvent[] => {
  const input = inputId(String(n));
  return [
    { type: "input.admitted", input, from: "person", how: "prompt", content: [text(`q${n}`)] },
    { type: "input.promoted", input },
  ];
};
const [one, two] = ["c1", "c2"] as unknown as [CallId, CallId];
const parts = [one, two].map((call) => ({ type: "call", call, tool: "Bash", input: { command: call } }) as const);
const turn = (n: number): DurableEvent => ({ ...everyEvent["turn.started"], turn: n });
const started = (call: CallId): DurableEvent => ({ ...everyEvent["tool.started"], call, input: { command: call } });
const ended = (call: CallId): DurableEvent => ({
  ...everyEvent["tool.ended"],
  call,
  outcome: { ok: true, said: [text(call)] },
});

const whole: readonly DurableEvent[] = [
  everyEvent["session.opened"],
  ...ask(1),
  everyEvent["run.started"],
  turn(1),
  { ...everyEvent["assistant.replied"], turn: 1, content: parts },
  started(one),
  ended(one),
  started(two),
  ended(two),
  turn(2),
  says(2),
  ...ask(2),
  turn(3),
  says(3),
  ...ask(3),
];
const recorded = (events: readonly DurableEvent[]): Recorded[] =>
  events.map((event, at) => ({ v: 1, seq: at + 1, time: 1, epoch: 1, session, path: ROOT, ...event }));

/** What every provider demands of a conversation. */
function problems(messages: readonly Message[]): string[] {
  return messages.flatMap((message, at) => {
    const next = messages[at + 1];
    const calls = message.role === "assistant" ? message.content.filter((part) => part.type === "call") : [];
    const results = next?.role === "tool" ? next.results.map((result) => result.call) : [];
    return [
      ...(at === 0 && message.role !== "user" ? ["does not begin with the user"] : []),
      ...(calls.length > 0 && next && calls.some(({ call }) => !results.includes(call))
        ? ["a call has no result"]
        : []),
      ...(message.role === "tool" && messages[at - 1]?.role !== "assistant" ? ["a result has no call"] : []),
    ];
  });
}

describe("P.D05: a history with holes", () => {
  test("that has none is left as it is", () => {
    expect(mendHistory(recorded(whole))).toEqual(recorded(whole));
  });

  test.each([1, 2, 3])("of %i records in a row is a conversation that a provider takes", (length) => {
    for (let at = 1; at + length <= whole.length; at++) {
      const tree = newTree();
      const left = recorded(whole).toSpliced(at, length);
      for (const event of mendHistory(left)) foldTree(tree, event);
      expect(problems(tree.sessions.get(session)!.messages), `without ${at} to ${at + length - 1}`).toEqual([]);
    }
  });

  test("a call whose result is lost counts as one of unknown outcome", () => {
    const tree = newTree();
    const at = whole.findIndex((event) => event.type === "tool.ended" && event.call === two);
    for (const event of mendHistory(recorded(whole).toSpliced(at, 1))) foldTree(tree, event);
    expect([...tree.sessions.get(session)!.unknown]).toEqual(['Bash {"command":"c2"}']);
  });
});
