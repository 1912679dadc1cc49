// Which agent of a tree a person means: by its id or the start of one, its path, or the name it was given. Pure.
import { ROOT } from "./ids.ts";
import type { AgentPath, SessionId } from "./ids.ts";

export type Named = { readonly session: SessionId; readonly path: AgentPath; readonly name?: string };

/** Those that fit best: what is exact wins over the start of an id. */
export function fitting<A extends Named>(agents: Iterable<A>, wanted: string): A[] {
  const all = [...agents];
  const exact = all.filter(
    ({ session, path, name }) =>
      session === wanted || path === wanted || path === `${ROOT}::${wanted}` || name === wanted,
  );
  if (exact.length > 0 || wanted === "") return exact;
  return all.filter(({ session }) => session.startsWith(wanted) || session.startsWith(`agent-${wanted}`));
}
