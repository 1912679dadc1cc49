// A timer of any length, on the monotonic clock: setTimeout above 2^31 - 1 ms fires at once.
const longest = 2 ** 31 - 1;

/** Returns what cancels it. */
export function after(ms: number, act: () => void): () => void {
  const due = performance.now() + ms;
  let timer: NodeJS.Timeout;
  const arm = (): void => {
    const left = due - performance.now();
    timer = left > longest ? setTimeout(arm, longest) : setTimeout(act, Math.max(0, left));
  };
  arm();
  return () => clearTimeout(timer);
}
