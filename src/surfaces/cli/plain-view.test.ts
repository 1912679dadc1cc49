import { expect, test } from "vitest";
import type { StreamEvent } from "../../core/events.ts";
import { createPlainView, painter } from "./plain-view.ts";

const show = (events: readonly object[]): string => {
  let screen = "";
  const view = createPlainView((text) => (screen += text), painter(false));
  for (const event of events) view({ session: "agent-1", ...event } as unknown as StreamEvent);
  return screen;
};

test("A5: what an agent says and what came of its calls carry its path, the lead's too", () => {
  const call = { type: "call", call: "c1", tool: "Bash", input: { command: "ls" } };
  const ended = { type: "tool.ended", call: "c1", outcome: { ok: true, said: [] }, durationMs: 100 };
  const screen = show([
    { type: "text.delta", path: "ROOT", text: "I begin" },
    { type: "text.delta", path: "ROOT::S1", text: "Done with " },
    { type: "assistant.replied", path: "ROOT::S1", content: [{ type: "text", text: "Done with the command." }, call] },
    { ...ended, path: "ROOT::S1" },
    { ...ended, path: "ROOT" },
    { type: "note.added", path: "ROOT::S1", kind: "hook", text: "a note" },
  ]);
  expect(screen).toBe(
    "ROOT: I begin\nROOT::S1: Done with the command.\n✓ ROOT::S1 Bash 0.1 s\n  \n✓ ROOT Bash 0.1 s\n  \nnote: ROOT::S1: a note\n",
  );
});
