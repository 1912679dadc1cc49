// Brings a child's result to its parent, exactly once for each of its runs.
import { deliveredReport } from "../../core/child-report.ts";
import type { Origin } from "../../core/events.ts";
import type { InputId, SessionId } from "../../core/ids.ts";
import type { SessionState } from "../../core/session-state.ts";
import { type Tree, freshResult, originOf } from "./tree.ts";

const SUMMARY_CHARS = 300;
const never = new AbortController().signal;

/** The parent's record of the end; for a child in the background, its report in the parent's mailbox. */
export const deliver = (tree: Tree, child: SessionState): Promise<void> =>
  tree.inTurn(child.session, () => deliverInTurn(tree, child));

/** For who has the child's turn already. */
export async function deliverInTurn(tree: Tree, child: SessionState): Promise<void> {
  const { writer } = tree;
  const ref = tree.refOf(child);
  const result = freshResult(child, ref);
  const parent = parentOf(tree, child);
  if (!ref || !result || !parent || ref.ended) return;
  // The input's name comes from the child's run, so that a crash between the two records does not deliver twice.
  const input = `input-${ref.session}-${child.run ?? ""}` as InputId;
  if (ref.background && !tree.stateOf(parent.session)?.admitted.has(input)) {
    const content = deliveredReport(result);
    await writer.record(parent, { type: "input.admitted", input, from: "child", how: "steer", content }, never);
  }
  const summary = (result.summary ?? result.output).slice(0, SUMMARY_CHARS);
  const { status, error } = result;
  const reason = status === "succeeded" ? undefined : error?.message.slice(0, SUMMARY_CHARS);
  const ended = {
    ...({ type: "child.ended", child: ref.session, call: ref.call, status, summary } as const),
    ...(reason !== undefined && { reason }),
  };
  const { seq } = await writer.record(parent, ended, never);
  await writer.durable(seq, parent, never);
  writer.unload(child.session);
}

/** Whether a child of one of these has ended in the background and is not delivered yet. */
export function isDelivering(tree: Tree, parents: Iterable<SessionId>): boolean {
  for (const parent of parents)
    for (const ref of tree.refsOf(parent)) {
      const child = ref.background && !ref.ended ? tree.stateOf(ref.session) : undefined;
      if (child && freshResult(child, ref)) return true;
    }
  return false;
}

export function parentOf(tree: Tree, child: SessionState): Origin | undefined {
  const session = child.opened?.spawnedBy?.session;
  const parent = session && tree.stateOf(session);
  return parent && originOf(parent);
}
