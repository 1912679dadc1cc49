// Turns many waits for durability into few syncs: one is in flight, everybody who comes meanwhile shares the next.
import type { LogFault } from "../../ports/tree-log.ts";
import type { JournalEnd } from "./journal-end.ts";
import { logFault } from "./log-faults.ts";

export type CommitOptions = {
  readonly end: JournalEnd;
  /** Throws a LogFault when the tree now belongs to another owner. */
  readonly checkOwner: () => void;
  readonly onFault: (fault: LogFault) => void;
  readonly syncWithinMs: number;
  /** Everything up to here is durable already. */
  readonly synced: number;
};

type Waiter = { readonly seq: number; readonly resolve: () => void; readonly reject: (fault: LogFault) => void };

const retryMs = 1000;

export class GroupCommit {
  readonly #options: CommitOptions;
  readonly #listeners: ((seq: number) => void)[] = [];
  /** The lines after `#synced`, kept until a sync covers them: after a failed one they are written again. */
  #unsynced: string[] = [];
  #unsyncedLength = 0;
  #synced: number;
  #waiters: Waiter[] = [];
  #flight: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failing = false;

  constructor(options: CommitOptions) {
    this.#options = options;
    this.#synced = options.synced;
  }

  get unsynced(): readonly string[] {
    return this.#unsynced;
  }

  get unsyncedLength(): number {
    return this.#unsyncedLength;
  }

  /** The last attempt to sync failed, and none has succeeded since. */
  get failing(): boolean {
    return this.#failing;
  }

  onSynced(listener: (seq: number) => void): void {
    this.#listeners.push(listener);
  }

  added(line: string): void {
    this.#unsynced.push(line);
    this.#unsyncedLength += line.length;
    this.#arm(this.#options.syncWithinMs);
  }

  durable(seq: number): Promise<void> {
    if (seq <= this.#synced) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiters.push({ seq, resolve, reject });
      this.flush();
    });
  }

  /** Starts syncing unless it is under way. Resolves when all is synced or has failed. */
  flush(): Promise<void> {
    this.#flight ??= this.#run();
    return this.#flight;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #run(): Promise<void> {
    // Those who ask in the same turn of the event loop share this sync.
    await Promise.resolve();
    let failures = 0;
    while (this.#unsynced.length > 0 && failures < 2) {
      const fault = await this.#syncOnce();
      failures = fault ? failures + 1 : 0;
      if (fault && (failures === 2 || fault.code === "fenced")) this.#giveUp(fault);
      if (fault?.code === "fenced") break;
    }
    // Not in a `finally` of the caller: whoever was just told "durable" may ask again before that would run.
    this.#flight = undefined;
  }

  async #syncOnce(): Promise<LogFault | undefined> {
    const { end, checkOwner, onFault } = this.#options;
    const count = this.#unsynced.length;
    try {
      // A stale owner must not acknowledge: what was written before this check was seen by its successor.
      checkOwner();
      if (end.distrusted) end.startSegment(this.#unsynced);
      await end.sync();
    } catch (error) {
      const fault = logFault(error, "the journal could not be synced to the disk");
      this.#failing = true;
      apart(() => onFault(fault));
      return fault;
    }
    this.#covered(count);
    return undefined;
  }

  #covered(count: number): void {
    this.#failing = false;
    this.#synced += count;
    for (const line of this.#unsynced.splice(0, count)) this.#unsyncedLength -= line.length;
    const isCovered = (waiter: Waiter): boolean => waiter.seq <= this.#synced;
    for (const waiter of this.#waiters.filter(isCovered)) waiter.resolve();
    this.#waiters = this.#waiters.filter((waiter) => !isCovered(waiter));
    const synced = this.#synced;
    for (const listener of this.#listeners) apart(() => listener(synced));
  }

  #giveUp(fault: LogFault): void {
    for (const waiter of this.#waiters.splice(0)) waiter.reject(fault);
    if (fault.code !== "fenced") this.#arm(retryMs);
  }

  #arm(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, ms).unref();
  }
}

/** A listener's bug is loud, but does not stop the syncing. */
function apart(call: () => void): void {
  try {
    call();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
