// What a program can do with one agent of a run that is under way.
import type { SessionId } from "../core/ids.ts";
import { HostError } from "../host/host-error.ts";
import type { LiveRun } from "../host/conversation.ts";

/** An agent below the one that was run. What cannot be done is thrown as a HostError that says why. */
export type ChildControls = {
  /** Says something to it; one that has ended goes on with it. */
  send(text: string, how?: "steer" | "follow-up"): Promise<void>;
  /** What it does now is interrupted; it stays, and waits for words. */
  interrupt(): Promise<void>;
  /** It and all below it end, as cancelled. */
  stop(): Promise<void>;
  /** Its parent goes on at once, and gets its report later. */
  background(): Promise<void>;
};

export function childControls(begun: Promise<Pick<LiveRun, "controls">>, agentId: string): ChildControls {
  // Safe: a session that is not there is told as such.
  const session = agentId as SessionId;
  type Done = { readonly ok: true } | { readonly ok: false; readonly problem: string };
  const act = async (what: (controls: LiveRun["controls"]) => Promise<Done>): Promise<void> => {
    const done = await what((await begun).controls);
    if (!done.ok) throw new HostError(done.problem);
  };
  return {
    send: (text, how = "steer") => act((controls) => controls.send(session, text, how, "person")),
    interrupt: () => act((controls) => controls.interrupt(session, "person")),
    stop: () => act((controls) => controls.stop(session, "person")),
    background: () => act((controls) => controls.background(session, "person")),
  };
}
