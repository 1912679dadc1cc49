// A person's words to a child of a session that is being resumed.
import type { SessionId } from "../../core/ids.ts";
import type { Conversation } from "../conversation.ts";
import { HostError } from "../host-error.ts";

/** Resolves when the child has them; `ended` when the child has, where it is set to work by them. */
export async function speakToChild(
  { controls, snapshot }: Conversation,
  child: SessionId,
  prompt: string | undefined,
): Promise<{ readonly ended?: Promise<unknown> }> {
  const state = snapshot().sessions.get(child);
  const parent = state?.opened?.spawnedBy?.session;
  const ref = parent && snapshot().sessions.get(parent)?.children.get(child);
  if (!state || !ref) throw new HostError(`session ${child} has no readable record`, "failed");
  // One that has not ended goes on with its tree.
  if (!ref.ended) {
    if (prompt === undefined) return {};
    const sent = await controls.send(child, prompt, "steer", "person");
    if (!sent.ok) throw new HostError(sent.problem, "failed");
    return {};
  }
  const resumed = await controls.resume(child, prompt, "person");
  if (!resumed.ok) throw new HostError(resumed.problem, "failed");
  return resumed.result ? { ended: resumed.result } : {};
}
