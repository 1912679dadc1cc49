// How the changes an agent made in its own copy come back: file by file, decided before anything is written. Pure.

/** What a file is: its content by name, and whether it is run or points elsewhere. null: there is none. */
export type FileId = { readonly id: string; readonly kind: "file" | "executable" | "link" } | null;

export type OwnChange = { readonly path: string; readonly before: FileId; readonly after: FileId };

export type MergeStep =
  /** The file is as the copy was made from: the agent's takes its place. */
  | { readonly is: "replace" }
  /** It is what the agent made of it already. */
  | { readonly is: "nothing" }
  /** Both changed it: their lines are to be joined. */
  | { readonly is: "join" }
  | { readonly is: "conflict"; readonly because: string };

export function mergeStep({ before, after }: OwnChange, now: FileId): MergeStep {
  if (isSame(now, after)) return { is: "nothing" };
  if (isSame(now, before)) return { is: "replace" };
  if (now === null) return { is: "conflict", because: "it was deleted here and changed there" };
  if (after === null) return { is: "conflict", because: "it was changed here and deleted there" };
  if (before === null) return { is: "conflict", because: "it was created on both sides" };
  if (now.kind === "link" || before.kind === "link" || after.kind === "link")
    return { is: "conflict", because: "it is a link, and differs on both sides" };
  return { is: "join" };
}

export type Rival = { readonly name: string; readonly changes: readonly OwnChange[] };

/** Files that several copies changed differently: who, and which. */
export function rivals(copies: readonly Rival[]): Map<string, string[]> {
  const byPath = new Map<string, { name: string; after: FileId }[]>();
  for (const { name, changes } of copies)
    for (const { path, after } of changes) byPath.set(path, [...(byPath.get(path) ?? []), { name, after }]);
  const found = new Map<string, string[]>();
  for (const [path, sides] of byPath)
    if (sides.some(({ after }) => !isSame(after, sides[0]!.after)))
      found.set(
        path,
        sides.map(({ name }) => name),
      );
  return found;
}

const isSame = (a: FileId, b: FileId): boolean => a?.id === b?.id && a?.kind === b?.kind;
