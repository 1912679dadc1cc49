// One piece of work at a time per key: a call while one is under way joins it.
export function singleFlight<Key, Value>(): (key: Key, work: () => Promise<Value>) => Promise<Value> {
  const underWay = new Map<Key, Promise<Value>>();
  return (key, work) => {
    const running = underWay.get(key);
    if (running) return running;
    const started = work().finally(() => underWay.delete(key));
    underWay.set(key, started);
    return started;
  };
}
