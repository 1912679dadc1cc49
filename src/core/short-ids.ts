// The shortest start of each session's id that fits no other, for people who type it. Pure.
import type { SessionId } from "./ids.ts";

const PREFIX = "agent-";
/** Short enough to type, long enough that the next sessions do not share it. */
const LEAST = 11;

/** `ids`: all that a start could mean. An id that is not among them is given back whole. */
export function shortIds(ids: readonly SessionId[]): (id: SessionId) => string {
  const sorted = ids.toSorted();
  const short = new Map<SessionId, string>();
  for (const [at, id] of sorted.entries()) {
    const shared = Math.max(common(id, sorted[at - 1]), common(id, sorted[at + 1]));
    short.set(id, id.slice(PREFIX.length, Math.max(shared + 1, PREFIX.length + LEAST)));
  }
  return (id) => short.get(id) ?? id;
}

function common(a: string, b: string | undefined): number {
  let length = 0;
  if (b !== undefined) while (length < a.length && a[length] === b[length]) length++;
  return length;
}
