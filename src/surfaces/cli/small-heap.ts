// The command's memory where much is read or many turns are short: V8 would let its area for new objects grow to 64 MB,
// nearly all of it garbage. It stays as large as it is while a long session is read, and from the first child on; that
// costs little time.
import { setFlagsFromString } from "node:v8";
import type { StreamEvent } from "../../core/events.ts";

export const keepHeapSmall = (): void => setFlagsFromString("--semi-space-growth-factor=1");

export function smallHeap(watch: (event: StreamEvent) => void): (event: StreamEvent) => void {
  let isSet = false;
  return (event) => {
    if (!isSet && event.type === "child.started") {
      isSet = true;
      keepHeapSmall();
    }
    watch(event);
  };
}
