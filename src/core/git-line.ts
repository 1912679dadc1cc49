// What a prompt says of a work tree: the branch, and what is changed, in a line whose length no repository decides. Pure.
const MOST_NAMES = 4;
const MOST_NAME_CHARS = 40;

/** `records` are those of `git status --porcelain -z`, without renames. */
export function statusLine(records: readonly string[]): string {
  const changes = records.filter((record) => record.length > 3);
  if (changes.length === 0) return "clean";
  const shown = changes
    .slice(0, MOST_NAMES)
    .map((record) => `${record.slice(0, 2).trim()} ${harmless(record.slice(3))}`);
  const more = changes.length > MOST_NAMES ? `, ${changes.length - MOST_NAMES} more` : "";
  return `${changes.length} changed: ${shown.join(", ")}${more}`;
}

/** From the text of HEAD: the branch; the beginning of the commit where none is checked out. */
export function branchOf(head: string): string | undefined {
  const [line = ""] = head.split("\n");
  const ref = /^ref: refs\/heads\/(.+)$/.exec(line.trim())?.[1];
  if (ref !== undefined) return harmless(ref);
  const commit = /^[0-9a-f]{40,64}$/.exec(line.trim())?.[0];
  return commit && `(detached at ${commit.slice(0, 10)})`;
}

/** A name is data in somebody's prompt: one line, and short. Its end tells more than its beginning. */
function harmless(name: string): string {
  const line = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  return line.length <= MOST_NAME_CHARS ? line : `…${line.slice(1 - MOST_NAME_CHARS).toWellFormed()}`;
}
