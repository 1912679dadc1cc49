// The command's memory while it has children: V8 would let its area for new objects grow to 64 MB, nearly all of it
// garbage of many short turns. From the first child on it stays as large as it is, which costs little time.
import { setFlagsFromString } from "node:v8";
import type { StreamEvent } from "../../core/events.ts";

export function smallHeap(watch: (event: StreamEvent) => void): (event: StreamEvent) => void {
  let isSet = false;
  return (event) => {
    if (!isSet && event.type === "child.started") {
      isSet = true;
      setFlagsFromString("--semi-space-growth-factor=1");
    }
    watch(event);
  };
}
