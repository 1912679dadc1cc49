// A tree's log into which no known secret goes. The caller gets back the event as it gave it: a command must be run,
// and shown to the person who approves it, exactly as it was asked for.
import type { DurableEvent, Origin, Recorded } from "../../core/events.ts";
import type { Mask } from "../../core/mask.ts";
import { maskFreeText } from "../../core/mask-free-text.ts";
import type { TreeLog } from "../../ports/tree-log.ts";

export function maskedLog(log: TreeLog, mask: Mask): TreeLog {
  return {
    get seq() {
      return log.seq;
    },
    epoch: log.epoch,
    append<E extends DurableEvent>(origin: Origin, event: E): Recorded<E> {
      const masked = maskFreeText(mask, event);
      const recorded = log.append(origin, masked);
      return masked === event ? recorded : { ...recorded, ...event };
    },
    durable: (seq) => log.durable(seq),
    history: (session) => log.history(session),
    onSynced: (listener) => log.onSynced(listener),
    close: () => log.close(),
  };
}
