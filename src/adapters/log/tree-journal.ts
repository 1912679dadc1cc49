// The tree's one log writer: numbers events, writes each before it returns, and knows what is durable.
import { FORMAT, type DurableEvent, type Origin, type Recorded } from "../../core/events.ts";
import type { SessionId } from "../../core/ids.ts";
import { LogFault, type TreeLog } from "../../ports/tree-log.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { JournalEnd } from "./journal-end.ts";
import { logFault, tooLarge } from "./log-faults.ts";
import { maxLineBytes } from "./record.ts";
import type { SessionViews } from "./session-views.ts";

export type JournalParts = {
  readonly seq: number;
  readonly epoch: number;
  readonly end: JournalEnd;
  readonly commit: GroupCommit;
  readonly views: SessionViews;
  /** Everything that was written, as a reader finds it. */
  readonly read: () => Promise<readonly Recorded[]>;
  /** Throws a LogFault when the tree now belongs to another owner. */
  readonly checkOwner: () => void;
  readonly release: () => void;
  readonly now: () => number;
};

/** With a disk that takes writes but no syncs, memory for the unsynced tail must end somewhere. */
const maxUnsyncedBytes = 64 * 1024 * 1024;
/** An owner that was suspended looks at its lock before it writes again. */
const trustOwnershipMs = 100;

export class TreeJournal implements TreeLog {
  readonly epoch: number;
  readonly #parts: JournalParts;
  #seq: number;
  #lastLook: number;
  #closing: Promise<void> | undefined;

  constructor(parts: JournalParts) {
    this.#parts = parts;
    this.epoch = parts.epoch;
    this.#seq = parts.seq;
    this.#lastLook = parts.now();
  }

  get seq(): number {
    return this.#seq;
  }

  append<E extends DurableEvent>(origin: Origin, event: E): Recorded<E> {
    if (this.#closing) throw new LogFault("closed", "the journal is closed");
    const time = this.#parts.now();
    if (Math.abs(time - this.#lastLook) > trustOwnershipMs) this.#checkOwner(time);
    const record = envelope(this.#seq + 1, time, this.epoch, origin, event);
    const line = `${JSON.stringify(record)}\n`;
    this.#write(line);
    this.#seq++;
    this.#parts.commit.added(line);
    this.#parts.views.add(origin.path, line);
    return record;
  }

  durable(seq: number): Promise<void> {
    if (seq > this.#seq) return Promise.reject(new Error(`nothing has number ${seq} yet; the last is ${this.#seq}`));
    return this.#parts.commit.durable(seq);
  }

  async history(session: SessionId): Promise<readonly Recorded[]> {
    return (await this.#parts.read()).filter((record) => record.session === session);
  }

  onSynced(listener: (seq: number) => void): void {
    this.#parts.commit.onSynced(listener);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { commit, views, end, release } = this.#parts;
    try {
      await commit.durable(this.#seq);
    } finally {
      commit.stop();
      await views.flush();
      views.stop();
      end.close();
      release();
    }
  }

  #write(line: string): void {
    const { end, commit } = this.#parts;
    if (line.length > maxLineBytes / 3) throw tooLarge(line.length);
    if (commit.failing && commit.unsyncedLength > maxUnsyncedBytes) {
      throw new LogFault("io", "the disk takes no syncs and too much is waiting for one; check the disk");
    }
    try {
      if (end.halfLine) end.startSegment(commit.unsynced);
      end.add(line, () => this.#isOwner());
    } catch (error) {
      throw logFault(error, "the event could not be written to the journal");
    }
  }

  #checkOwner(time: number): void {
    this.#parts.checkOwner();
    this.#lastLook = time;
  }

  #isOwner(): boolean {
    try {
      this.#parts.checkOwner();
      return true;
    } catch {
      return false;
    }
  }
}

/** The event's own fields come last and are kept whatever they are called. */
function envelope<E extends DurableEvent>(
  seq: number,
  time: number,
  epoch: number,
  origin: Origin,
  event: E,
): Recorded<E> {
  const { session, path, parent } = origin;
  const record =
    parent === undefined
      ? { v: FORMAT, seq, time, epoch, session, path, ...event }
      : { v: FORMAT, seq, time, epoch, session, path, parent, ...event };
  // The spread of a type parameter is beyond the compiler: this is the definition of Recorded<E>.
  return record as unknown as Recorded<E>;
}
