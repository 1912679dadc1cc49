// What a session's edits made of each file, from its record: where it began, where it was left, and whether somebody
// else had a hand in it between two edits. Pure.
import type { Recorded } from "../core/events.ts";
import type { FileChange } from "../core/tool-outcome.ts";
import type { NotedWrite } from "../ports/undo.ts";

export type EditedFile = {
  readonly path: string;
  /** SHA-256 of the content before the first edit; null: it did not exist. */
  readonly before: string | null;
  /** null: it was deleted. */
  readonly after: string | null;
  readonly mode?: number;
  /** Folders that were made for it, outermost first. */
  readonly folders: readonly string[];
  readonly edits: number;
  readonly added: number;
  readonly removed: number;
  /** Something that was no edit of this session changed it in between. */
  readonly mixed: boolean;
};

/** Notes that a taking back, and a bringing back, leave in the journal. */
export const REVERTED = "changes.reverted";
export const APPLIED = "changes.applied";

type Edit = Omit<EditedFile, "edits" | "mixed">;

/** `now` tells what a file holds, for writes whose end was not recorded because the engine was killed. */
export function editedFiles(
  events: readonly Recorded[],
  notes: readonly NotedWrite[],
  now: (path: string) => string | null | undefined,
): EditedFile[] {
  const steps = events.flatMap(stepsOf);
  for (const note of unrecorded(steps, notes)) {
    const next = steps.findIndex((step) => isEdit(step) && step.path === note.path && step.before === note.after);
    const edit: Edit = { ...pick(note), added: 0, removed: 0 };
    if (next >= 0) steps.splice(next, 0, edit);
    else if (now(note.path) === note.after) steps.push(edit);
  }
  const files = new Map<string, EditedFile>();
  for (const step of steps) {
    if (!isEdit(step)) for (const path of step.reverted) files.delete(path);
    else files.set(step.path, joined(files.get(step.path), step));
  }
  return [...files.values()];
}

type Step = Edit | { readonly reverted: readonly string[] };
const isEdit = (step: Step): step is Edit => "path" in step;

function stepsOf(event: Recorded): Step[] {
  if (event.type === "note.added" && event.kind === REVERTED)
    return [{ reverted: (event.details as { files?: readonly string[] } | undefined)?.files ?? [] }];
  return changesIn(event).flatMap((file) => {
    const { path, before, after, added = 0, removed = 0 } = file;
    if (before === undefined || after === undefined) return [];
    return [{ ...pick({ ...file, path, before, after }), added, removed }];
  });
}

function changesIn(event: Recorded): readonly FileChange[] {
  if (event.type === "tool.ended") return event.outcome.facts?.files ?? [];
  if (event.type !== "note.added" || event.kind !== APPLIED) return [];
  return ((event.details as { files?: unknown } | undefined)?.files ?? []) as readonly FileChange[];
}

const pick = ({
  path,
  before,
  after,
  mode,
  folders = [],
}: Pick<NotedWrite, "path" | "before" | "mode"> & { after: string | null; folders?: readonly string[] }) => ({
  path,
  before,
  after,
  folders,
  ...(mode !== undefined && { mode }),
});

/** Noted writes that no result tells of, in their order. */
function unrecorded(steps: readonly Step[], notes: readonly NotedWrite[]): NotedWrite[] {
  const key = (one: { path: string; before: string | null; after: string | null }): string =>
    JSON.stringify([one.path, one.before, one.after]);
  const told = new Map<string, number>();
  for (const step of steps) if (isEdit(step)) told.set(key(step), (told.get(key(step)) ?? 0) + 1);
  return notes.filter((note) => {
    const left = told.get(key(note)) ?? 0;
    told.set(key(note), left - 1);
    return left <= 0;
  });
}

function joined(file: EditedFile | undefined, edit: Edit): EditedFile {
  if (!file) return { ...edit, edits: 1, mixed: false };
  return {
    ...file,
    after: edit.after,
    folders: [...file.folders, ...edit.folders.filter((folder) => !file.folders.includes(folder))],
    edits: file.edits + 1,
    added: file.added + edit.added,
    removed: file.removed + edit.removed,
    mixed: file.mixed || edit.before !== file.after,
  };
}
