// The in-memory twin of a tree's journal. Records are kept as JSON text, as a file would: no object is shared.
import { type DurableEvent, FORMAT, type Recorded } from "../../core/events.ts";
import type { Clock } from "../../ports/clock.ts";
import { LogFault, type TreeLog } from "../../ports/tree-log.ts";

export type MemoryLog = TreeLog & {
  readonly lines: readonly string[];
  /** While set, every append fails with it. */
  fault: LogFault | undefined;
};

export function memoryLog(clock: Pick<Clock, "now">, lines: string[] = []): MemoryLog {
  const listeners: ((seq: number) => void)[] = [];
  let closed = false;
  return {
    lines,
    fault: undefined,
    epoch: 1,
    get seq() {
      return lines.length;
    },
    append<E extends DurableEvent>(origin: Parameters<TreeLog["append"]>[0], event: E): Recorded<E> {
      if (closed) throw new LogFault("closed", "the log is closed");
      if (this.fault) throw this.fault;
      const record = { v: FORMAT, seq: lines.length + 1, time: clock.now(), epoch: 1, ...origin, ...event };
      const line = JSON.stringify(record);
      lines.push(line);
      return JSON.parse(line) as Recorded<E>;
    },
    async durable(seq) {
      if (this.fault) throw this.fault;
      for (const listener of listeners) listener(seq);
    },
    history: async (session) =>
      lines.map((line) => JSON.parse(line) as Recorded).filter((record) => record.session === session),
    onSynced: (listener) => void listeners.push(listener),
    async close() {
      closed = true;
    },
  };
}
