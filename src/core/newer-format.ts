// Records that a newer version of Sous wrote: which of them this version understands, and how a person is told of the
// others. Pure.
import { isKnownType, isSound } from "./event-shape.ts";
import { FORMAT, type Recorded } from "./events.ts";

/** What is known of the version that wrote a journal which this one may only read. */
export type Newer = { readonly format: number; readonly records: number; readonly version?: string };

export const isNewer = (record: { readonly v: number }): boolean => record.v > FORMAT;

/** Its fields can be trusted and shown. Readers have looked at those of our own format already. */
export const isUnderstood = (record: Recorded): boolean =>
  isKnownType(record.type) && (!isNewer(record) || isSound(record));

/** Undefined when every record is of a format that this version writes or reads. */
export function newerOf(records: readonly Recorded[], alsoFormats: readonly number[] = []): Newer | undefined {
  const later = records.filter(isNewer);
  const formats = [...alsoFormats, ...new Set(later.map(({ v }) => v))];
  if (formats.length === 0) return undefined;
  const opened = later.findLast((record) => record.type === "session.opened");
  const version: unknown = opened?.type === "session.opened" ? opened.version : undefined;
  return {
    format: Math.max(...formats),
    records: later.length + alsoFormats.length,
    ...(typeof version === "string" && /^[\w.+-]{1,40}$/.test(version) && { version }),
  };
}

/** Why it can only be read, and what to do: the rest of a sentence that names the session. */
export function newerText({ format, records, version }: Newer): string {
  const by = version === undefined ? `format ${format}` : `${version}, format ${format}`;
  const were = records === 1 ? "1 of its records was" : `${records} of its records were`;
  return `${were} written by a newer version of Sous (${by}); update Sous to go on with it`;
}

const MOST_NAMED = 5;

/** Which records are not shown, or undefined when all are. */
export function leftOutText(records: readonly Recorded[]): string | undefined {
  const strange = records.filter((record) => !isUnderstood(record));
  if (strange.length === 0) return undefined;
  const types = [...Map.groupBy(strange, ({ type }) => type.slice(0, 60))].map(
    ([type, all]) => `${type} (${all.length})`,
  );
  const more = types.length > MOST_NAMED ? ` and ${types.length - MOST_NAMED} more kinds` : "";
  const are = strange.length === 1 ? "1 record is" : `${strange.length} records are`;
  return `${are} not understood by this version: ${types.slice(0, MOST_NAMED).join(", ")}${more}`;
}

/** Both in the order of their numbers. */
export function inOrder(events: readonly Recorded[], unread: readonly Recorded[]): readonly Recorded[] {
  return unread.length === 0 ? events : [...events, ...unread].sort((a, b) => a.seq - b.seq);
}
