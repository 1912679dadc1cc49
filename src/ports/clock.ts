// Time and randomness, injected so that a run can be replayed.
export interface Clock {
  /** Wall time, ms since 1970: for people and records. */
  now(): number;
  /** Monotonic ms: for durations and limits. */
  ticks(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted. Any length is right, also above 2^31 ms. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A UUID; later ones sort after earlier ones. */
  uuid(): string;
}
