// Events for whoever iterates over them. A reader that is slow holds up nobody: it is handed what it missed, without
// live events once it is far behind; one that leaves is forgotten.

export type EventStream<T> = {
  publish(event: T): void;
  /** Readers end after what they have not read yet; with an error they throw it then. */
  end(error?: unknown): void;
  /** Whether somebody reads now. */
  readonly isRead: boolean;
  readonly events: AsyncIterable<T>;
};

/** A reader further behind than this misses what may be missed. */
const FAR_BEHIND = 1_000;

type Reader<T> = { readonly queue: T[]; wake(): void };

export function createEventStream<T>(mayBeMissed: (event: T) => boolean): EventStream<T> {
  const readers = new Set<Reader<T>>();
  let ended: { readonly error?: unknown } | undefined;

  function iterator(): AsyncIterator<T, undefined> {
    let wake = (): void => {};
    let left = false;
    const reader: Reader<T> = { queue: [], wake: () => wake() };
    if (!ended) readers.add(reader);
    const over = { done: true, value: undefined } as const;
    return {
      async next() {
        while (!left) {
          const [value] = reader.queue.splice(0, 1);
          if (value !== undefined) return { done: false, value };
          if (ended) {
            left = true;
            if (ended.error !== undefined) throw ended.error;
            return over;
          }
          await new Promise<void>((resolve) => (wake = resolve));
        }
        return over;
      },
      async return() {
        left = true;
        readers.delete(reader);
        reader.queue.length = 0;
        wake();
        return over;
      },
    };
  }

  return {
    publish(event) {
      for (const reader of readers) {
        if (reader.queue.length >= FAR_BEHIND && mayBeMissed(event)) continue;
        reader.queue.push(event);
        reader.wake();
      }
    },
    end(error) {
      ended ??= error === undefined ? {} : { error };
      for (const reader of readers) reader.wake();
      readers.clear();
    },
    get isRead() {
      return readers.size > 0;
    },
    events: { [Symbol.asyncIterator]: iterator },
  };
}
