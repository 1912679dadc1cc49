// Signals linked from parent to child, and promises that give up when a signal does.

/** A controller that aborts when its parent does; `unlink` lets the parent forget it. */
export function linked(parent: AbortSignal): AbortController & { unlink(): void } {
  const controller = new AbortController();
  const follow = (): void => controller.abort(parent.reason);
  if (parent.aborted) follow();
  else parent.addEventListener("abort", follow, { once: true });
  return Object.assign(controller, { unlink: () => parent.removeEventListener("abort", follow) });
}

/** Settles as `promise` does, or rejects with the signal's reason, whichever is first. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => {});
    return Promise.reject(signal.reason);
  }
  return new Promise<T>((resolve, reject) => {
    const give = (): void => reject(signal.reason);
    signal.addEventListener("abort", give, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", give));
  });
}
