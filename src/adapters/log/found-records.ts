// The records of a journal in the order they stand in its segments, each with its place.
import type { Recorded } from "../../core/events.ts";

export type Found = {
  readonly record: Recorded;
  readonly index: number;
  readonly segment: string;
  readonly line: number;
};

export class FoundRecords {
  readonly records: Recorded[] = [];
  readonly #lines: number[] = [];
  readonly #segments: { readonly name: string; readonly from: number }[] = [];

  beginSegment(name: string): void {
    this.#segments.push({ name, from: this.records.length });
  }

  add(record: Recorded, line: number): void {
    this.records.push(record);
    this.#lines.push(line);
  }

  at(index: number): Found | undefined {
    const record = this.records[index];
    const line = this.#lines[index];
    if (!record || line === undefined) return undefined;
    const segment = this.#segments.findLast(({ from }) => from <= index)?.name ?? "";
    return { record, index, segment, line };
  }

  /** True when numbers count up from 1 and epochs never fall: then everything found is history. */
  isSound(): boolean {
    let epoch = 0;
    return this.records.every((record, i) => {
      const fits = record.seq === i + 1 && record.epoch >= epoch;
      epoch = record.epoch;
      return fits;
    });
  }

  /** Whether the record's number continues the one before it in its segment. */
  follows(entry: Found): boolean {
    const before = this.neighbour(entry, -1);
    return before === undefined || before.seq === entry.record.seq - 1;
  }

  /** Whether it continues the one before it or is continued by the one after it. */
  fits(entry: Found): boolean {
    const { seq } = entry.record;
    return this.neighbour(entry, -1)?.seq === seq - 1 || this.neighbour(entry, 1)?.seq === seq + 1;
  }

  /** The record `by` places further in the same segment. */
  neighbour(entry: Found, by: number): Recorded | undefined {
    const other = this.at(entry.index + by);
    return other?.segment === entry.segment ? other.record : undefined;
  }
}
