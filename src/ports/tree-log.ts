// The one history of a tree. Appending is synchronous and ordered; durability is awaited where it gates an effect.
import type { DurableEvent, Origin, Recorded } from "../core/events.ts";
import type { SessionId } from "../core/ids.ts";

/** What reading found besides the events: told to the person, never silently dropped. */
export type Damage = { readonly segment: string; readonly line: number; readonly bytes: number; readonly what: string };

export interface TreeLog {
  /** The highest sequence number given. */
  readonly seq: number;
  readonly epoch: number;
  /**
   * Writes the event to the operating system before it returns (a killed process loses nothing) and gives it its
   * number. Throws a LogFault when it could not be written; then nothing was recorded and nothing was numbered.
   */
  append<E extends DurableEvent>(origin: Origin, event: E): Recorded<E>;
  /** Resolves when everything up to `seq` is synced to the disk. Rejects with a LogFault when it cannot be. */
  durable(seq: number): Promise<void>;
  /** All that was recorded of one session, read back from where it is kept. */
  history(session: SessionId): Promise<readonly Recorded[]>;
  /** Called after each sync with the new watermark. */
  onSynced(listener: (seq: number) => void): void;
  /** Syncs what is left, releases the tree's lock. Idempotent. */
  close(): Promise<void>;
}

export class LogFault extends Error {
  readonly code: "full" | "io" | "fenced" | "closed" | "too-large";
  constructor(code: LogFault["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "LogFault";
    this.code = code;
  }
}
