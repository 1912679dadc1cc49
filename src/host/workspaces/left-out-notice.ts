// What `.worktreeinclude` names and a copy does not have, in one sentence for the person.
import type { LeftOut } from "../../ports/worktrees.ts";

const MOST_NAMED = 5;

export function leftOutNotice(agent: string, leftOut: readonly LeftOut[]): string {
  const named = leftOut.slice(0, MOST_NAMED).map(({ path, reason }) => `${path} (${reason})`);
  const more = leftOut.length > MOST_NAMED ? [`${leftOut.length - MOST_NAMED} more`] : [];
  return `the copy for ${agent} was made without these files of .worktreeinclude: ${[...named, ...more].join(", ")}`;
}
