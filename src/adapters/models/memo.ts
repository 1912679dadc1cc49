// Remembers what was made of an object, as long as the object lives. Messages never change once sent.
export function memo<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

/** Remembers the last only: for a value that seldom changes, such as a system prompt. */
export function memoLast<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  let last: { key: Key; value: Value } | undefined;
  return (key) => {
    if (!last || last.key !== key) last = { key, value: make(key) };
    return last.value;
  };
}
