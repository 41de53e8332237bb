/** A function that makes its value for each object once, and keeps it as long as that object lives. */
export function once<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>()
  return (key) => {
    if (!made.has(key)) made.set(key, make(key))
    return made.get(key) as Value
  }
}
