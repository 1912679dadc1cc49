// What a person tells an agent from outside, through the tree's controls, and a sentence about what came of it.
import type { SessionId } from "../../core/ids.ts";
import type { TreeState } from "../../core/tree-state.ts";
import type { Controls } from "../../engine/runs/controls.ts";
import type { Steered, Steering } from "./controlled-tree.ts";

type Done<More> = ({ readonly ok: true } & More) | { readonly ok: false; readonly problem: string };

export function personSteering(controls: Controls, { sessions }: TreeState): Steering {
  const pathOf = (session: SessionId): string => sessions.get(session)?.path ?? session;
  async function told<More>(done: Promise<Done<More>>, said: (more: More) => string): Promise<Steered> {
    const outcome = await done;
    return outcome.ok ? { ok: true, said: said(outcome) } : { ok: false, problem: outcome.problem };
  }
  return {
    send: (session, text, how) =>
      told(controls.send(session, text, how, "person"), ({ resumed }) =>
        resumed ? `${pathOf(session)} goes on with it` : `sent to ${pathOf(session)}`,
      ),
    interrupt: (session) =>
      told(controls.interrupt(session, "person"), () => `${pathOf(session)} is interrupted and waits for words`),
    stop: (session) => told(controls.stop(session, "person"), () => `${pathOf(session)} is stopped`),
    resume: (session, prompt) => told(controls.resume(session, prompt, "person"), () => `${pathOf(session)} goes on`),
    background: (session) =>
      told(controls.background(session, "person"), () => `${pathOf(session)} works on in the background`),
    fork: (session, how) =>
      told(controls.fork(session, how), (made) => `${made.path} (${made.session}) begins as ${pathOf(session)} stands`),
  };
}
