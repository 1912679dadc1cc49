import { expect, test } from "vitest";
import type { Recorded } from "../../core/events.ts";
import { everyEvent } from "../../core/event-shape-test-kit.ts";
import { ROOT, type CallId, sessionId } from "../../core/ids.ts";
import { newSession } from "../../core/session-state.ts";
import { foldSession } from "../../core/fold-session.ts";
import { settle } from "./resume.ts";

const session = sessionId("00000000-0000-4000-8000-000000000001");

function open(command: string, repeatable?: boolean) {
  const call = "c" as CallId;
  const replied = {
    ...everyEvent["assistant.replied"],
    content: [{ type: "call", call, tool: "Bash", input: { command } }],
  } as const;
  const started = { ...everyEvent["tool.started"], call, repeatable: repeatable === true };
  const state = newSession(session, ROOT);
  for (const [at, event] of [replied, ...(repeatable === undefined ? [] : [started])].entries())
    foldSession(state, { v: 1, seq: at + 1, time: 1, epoch: 1, session, path: ROOT, ...event } as Recorded);
  return settle(state, false);
}

test("P.X02: a call that was not begun is not run with a mask in the place of its secret", () => {
  expect(open("echo hi")).toEqual([]);
  expect(open("echo hi", true)).toEqual([]);
  const said = [{ text: expect.stringMatching(/^Not run: a secret in it was masked/) }];
  for (const repeatable of [undefined, true])
    expect(open("echo [masked ANTHROPIC_API_KEY]", repeatable)).toMatchObject([
      { type: "tool.ended", outcome: { ok: false, why: "interrupted", said } },
    ]);
  expect(JSON.stringify(open("echo [masked ANTHROPIC_API_KEY]", false))).toContain("outcome unknown");
});
