// Every call of a session has an id of its own, however its provider numbers calls: answers, kept output and children
// are bound to that id. Pure.
import type { CallId } from "./ids.ts";
import type { ReplyPart } from "./messages.ts";

/** The parts of a reply; a call whose id is empty, or was used before in the session or the reply, gets a new one. */
export function withOwnCallIds(
  content: readonly ReplyPart[],
  used: ReadonlySet<CallId>,
  newId: () => string,
): readonly ReplyPart[] {
  const here = new Set<CallId>();
  return content.map((part) => {
    if (part.type !== "call" && part.type !== "bad-call") return part;
    const isFree = part.call !== "" && !used.has(part.call) && !here.has(part.call);
    const call = isFree ? part.call : (newId() as CallId);
    here.add(call);
    return isFree ? part : { ...part, call };
  });
}
