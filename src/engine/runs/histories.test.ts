import { expect, test } from "vitest";
import { engine } from "../../../test/engine-harness.ts";
import type { Recorded } from "../../core/events.ts";
import { inputId } from "../../core/ids.ts";
import { text } from "../../core/messages.ts";
import { newSession } from "../../core/session-state.ts";
import { foldSession } from "../../core/fold-session.ts";
import { scripted } from "../../testing/scripted-model.ts";
import { call, calls, callsAll, says } from "../../testing/wire-server/script.ts";
import { read } from "../tools/read.ts";
import { spawnSubagent } from "../tools/spawn-subagent.ts";

const never = new AbortController().signal;

async function withEndedChild() {
  const lead = scripted([callsAll(call("spawn_subagent", { prompt: "look" })), says("ok")]);
  const child = scripted([calls("Read", { file_path: "a.txt" }), says("seen")]);
  const e = engine({ model: lead, tools: [read, spawnSubagent], children: { "general-purpose": child } });
  await e.ask("go");
  const state = [...e.writer.state.sessions.values()][1]!;
  const folded = () => {
    const fresh = newSession(state.session, state.path);
    for (const line of e.lines) {
      const event = JSON.parse(line) as Recorded;
      if (event.session === state.session) foldSession(fresh, event);
    }
    return fresh;
  };
  return { e, state, folded };
}

test("X7: an ended child keeps its result and cost in memory, not its history; that comes back when it is needed", async () => {
  const { e, state, folded } = await withEndedChild();
  expect(state).toMatchObject({ unloaded: true, messages: [], status: "succeeded", turns: 2 });
  expect(state.result?.output).toBe("seen");
  expect(state.costs.size).toBe(1);
  expect(await e.writer.load(state.session)).toBe(state);
  expect(state).toEqual(folded());
  expect(state.messages).toHaveLength(4);
});

test("X7: what is said to a child while its history is read back is not lost", async () => {
  const { e, state, folded } = await withEndedChild();
  const loading = e.writer.load(state.session);
  await e.writer.record(
    { session: state.session, path: state.path },
    { type: "input.admitted", input: inputId("late"), from: "person", how: "prompt", content: [text("and now?")] },
    never,
  );
  await Promise.all([loading, e.writer.load(state.session)]);
  expect(state.waiting).toHaveLength(1);
  expect(state).toEqual(folded());
});

test("X7: the lead, and a child that is spoken to, keep their histories", async () => {
  const { e, state } = await withEndedChild();
  e.writer.unload(e.state().session);
  expect(e.state()).toMatchObject({ unloaded: false });
  expect(e.state().messages.length).toBeGreaterThan(2);
  await e.writer.load(state.session);
  await e.writer.record(
    { session: state.session, path: state.path },
    { type: "input.admitted", input: inputId("late"), from: "person", how: "prompt", content: [text("and now?")] },
    never,
  );
  e.writer.unload(state.session);
  expect(state.messages).toHaveLength(4);
});
