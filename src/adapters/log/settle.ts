// Decides which of the records found in a journal are its history. Pure.
//
// In a sound journal numbers count up without gaps and epochs never fall: then everything found is history. Otherwise:
// - A number may stand twice, identically, in two segments: after a failed sync the unsynced tail is written again.
// - An owner that lost the tree may have written on before it noticed. Its records carry a lower epoch than one with
//   a lower number, or than one with the same number: its successor's, which stand.
// - What was decided once stays decided when more is appended: it only depends on what stands before, or fits after.
// - One damaged digit in a number or an epoch must not cost any other record: a jump in numbers that the next record
//   contradicts is damage, and an epoch is believed only when two records in a row carry it or one had a rival.
import { isSound } from "../../core/event-shape.ts";
import type { Recorded } from "../../core/events.ts";
import { isNewer } from "../../core/newer-format.ts";
import type { Found, FoundRecords } from "./found-records.ts";

export type Rejected = Found & { readonly what: string };
/** Numbers between `after` and `before` are missing; the place is that of the record `before`. */
export type Gap = Found & { readonly after: number; readonly before: number };
export type Settled = { readonly events: Recorded[]; readonly rejected: Rejected[]; readonly gaps: Gap[] };

/** A lone last record may leave a gap this wide behind it; a wider one is taken for a damaged number. */
const widestGap = 1000;
/** How far a successor's second record may stand behind its first, with the old owner's records between. */
const nearby = 8;

export function settle(found: FoundRecords): Settled {
  const history = new Map<number, Found>();
  const rejected: Rejected[] = [];
  const reject = (entry: Found, what: string): void => void rejected.push({ ...entry, what });
  /** Epochs that are surely real, with the lowest number each is known to have given. */
  const owners = new Map<number, number>();
  const believe = ({ seq, epoch }: Recorded): void => void owners.set(epoch, Math.min(seq, owners.get(epoch) ?? seq));
  const isStale = ({ seq, epoch }: Recorded): boolean =>
    owners.entries().some(([later, from]) => later > epoch && from < seq);
  let highest = 0;
  let previous: Recorded | undefined;

  for (let i = 0; i < found.records.length; i++) {
    const entry = found.at(i);
    if (!entry) continue;
    const { seq, epoch } = entry.record;
    const rival = history.get(seq);
    // Of two with one number, the one whose fields are damaged says nothing about who is right.
    if (rival && isSound(rival.record) !== isSound(entry.record)) {
      const [kept, broken] = isSound(entry.record) ? [entry, rival] : [rival, entry];
      history.set(seq, kept);
      reject(broken, `there are two different records ${seq}; the undamaged one was kept`);
      continue;
    }
    if (rival && (rival.record.epoch === epoch || isCopy(rival.record, entry.record))) {
      const copy = judgeCopy(found, rival, entry);
      history.set(seq, copy.keep);
      if (copy.what !== undefined) reject(copy.keep === entry ? rival : entry, copy.what);
      continue;
    }
    if (isStale(entry.record) || (rival && epoch < rival.record.epoch)) {
      reject(entry, lostTree(seq, epoch));
      if (rival) believe(rival.record);
      continue;
    }
    if (rival ? !isSuccessor(found, entry) : isOutlier(found, entry, highest)) {
      reject(entry, `record ${seq} does not fit its place: its number is damaged`);
      continue;
    }
    if (rival) {
      for (const [other, overruled] of history) {
        if (other < seq || overruled.record.epoch >= epoch) continue;
        reject(overruled, lostTree(other, overruled.record.epoch));
        history.delete(other);
      }
      believe(entry.record);
      highest = 0;
    }
    history.set(seq, entry);
    highest = Math.max(highest, seq);
    if (previous?.epoch === epoch) believe(previous);
    previous = entry.record;
  }
  const ordered = [...history.values()].sort((a, b) => a.record.seq - b.record.seq);
  return { events: ordered.map((entry) => entry.record), rejected, gaps: gapsIn(ordered) };
}

const lostTree = (seq: number, epoch: number): string =>
  `record ${seq} was written by an owner that had lost the tree (epoch ${epoch}); ignored`;

function judgeCopy(found: FoundRecords, kept: Found, copy: Found): { keep: Found; what?: string } {
  const { seq } = copy.record;
  // Both were written by one version: where only one seems newer than we can read, its digit is damaged.
  if (isNewer(kept.record) !== isNewer(copy.record)) {
    const what = `there are two records ${seq}; the one of a known format was kept`;
    return { keep: isNewer(kept.record) ? copy : kept, what };
  }
  if (isCopy(kept.record, copy.record)) {
    return kept.segment === copy.segment ? { keep: kept, what: `record ${seq} stands twice` } : { keep: kept };
  }
  // In an earlier segment the tail is what a failed sync may have spoilt; within one, the first was there first.
  const better = kept.segment === copy.segment ? found.follows(kept) : !found.follows(copy);
  return { keep: better ? kept : copy, what: `there are two different records ${seq}; the likelier one was kept` };
}

/** An epoch or a format that differs while all else agrees is a damaged digit, not another owner. */
const isCopy = (a: Recorded, b: Recorded): boolean =>
  a.time === b.time && JSON.stringify({ ...a, epoch: 0, v: 0 }) === JSON.stringify({ ...b, epoch: 0, v: 0 });

/** Only a new owner's first record may repeat a number; what it or a later owner writes next then continues it. */
function isSuccessor(found: FoundRecords, entry: Found): boolean {
  const { seq, epoch } = entry.record;
  for (let by = 1; by <= nearby; by++) {
    const other = found.neighbour(entry, by);
    if (other && other.epoch >= epoch) return other.seq === seq + 1;
  }
  return false;
}

function isOutlier(found: FoundRecords, entry: Found, highest: number): boolean {
  const { seq } = entry.record;
  if (seq <= highest + 1 || found.fits(entry)) return false;
  const after = found.neighbour(entry, 1);
  return after === undefined ? seq - highest > widestGap : after.seq <= seq;
}

function gapsIn(ordered: readonly Found[]): Gap[] {
  return ordered.flatMap((entry, i) => {
    const after = ordered[i - 1]?.record.seq ?? 0;
    return entry.record.seq === after + 1 ? [] : [{ ...entry, after, before: entry.record.seq }];
  });
}
