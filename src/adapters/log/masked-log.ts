// A tree's log into which no known secret goes. The caller gets back the event as it gave it: a command must be run,
// and shown to the person who approves it, exactly as it was asked for.
import type { DurableEvent, Origin, Recorded } from "../../core/events.ts";
import type { Mask } from "../../core/mask.ts";
import { maskFreeText } from "../../core/mask-free-text.ts";
import type { TreeLog } from "../../ports/tree-log.ts";

/** `clean` gets the records in which there was nothing to hide: nobody has to look through them again. */
export function maskedLog(log: TreeLog, mask: Mask, clean: WeakSet<object> = new WeakSet()): TreeLog {
  return {
    get seq() {
      return log.seq;
    },
    epoch: log.epoch,
    append<E extends DurableEvent>(origin: Origin, event: E): Recorded<E> {
      const masked = maskFreeText(mask, event);
      const recorded = log.append(origin, masked);
      if (masked !== event) return { ...recorded, ...event };
      clean.add(recorded);
      return recorded;
    },
    durable: (seq) => log.durable(seq),
    history: (session) => log.history(session),
    onSynced: (listener) => log.onSynced(listener),
    close: () => log.close(),
  };
}
