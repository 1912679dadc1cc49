// Many pieces of work share one event loop: none of them, and not all of them together, may hold it for long. Whoever
// has done a step asks for a breath; when this turn of the loop has lasted long enough, the answer is to wait for a
// later one, in the order of asking.
export type Breather = {
  /** Undefined while the turn has time left. */
  pause(): Promise<void> | undefined;
};

const TURN_MS = 10;
/** How far one who was let go gets before the time is looked at again, in steps of promises. */
const HEAD_START = 8;

export function createBreather(now: () => number, turnMs = TURN_MS): Breather {
  const queue: (() => void)[] = [];
  let began: number | undefined;
  const begin = (): void => {
    began = now();
    setImmediate(() => {
      began = undefined;
      if (queue.length > 0) void letGo();
    });
  };
  const isOver = (): boolean => began !== undefined && now() - began >= turnMs;

  async function letGo(): Promise<void> {
    begin();
    while (queue.length > 0 && !isOver()) {
      queue.shift()?.();
      for (let step = 0; step < HEAD_START; step++) await undefined;
    }
  }

  return {
    pause() {
      if (began === undefined) begin();
      if (queue.length === 0 && !isOver()) return undefined;
      return new Promise((resolve) => queue.push(resolve));
    },
  };
}
