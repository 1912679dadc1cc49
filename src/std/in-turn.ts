// One piece of work at a time per key, in the order of asking.
export function inTurn<Key>(): <T>(key: Key, work: () => Promise<T>) => Promise<T> {
  const last = new Map<Key, Promise<void>>();
  return (key, work) => {
    const done = (last.get(key) ?? Promise.resolve()).then(work);
    const over = done.then(
      () => {},
      () => {},
    );
    last.set(key, over);
    void over.then(() => last.get(key) === over && last.delete(key));
    return done;
  };
}
