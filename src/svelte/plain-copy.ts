/**
 * A copy of a value without Svelte's `$state` proxies: plain objects and lists are copied all the way down, whatever
 * else is in them stays as it is.
 */
export function plainCopy(value: unknown, copies: Map<unknown, unknown> = new Map()): unknown {
  if (typeof value !== 'object' || value === null) return value
  const known = copies.get(value)
  if (known !== undefined) return known
  if (Array.isArray(value)) {
    const list: unknown[] = []
    copies.set(value, list)
    for (const item of value) list.push(plainCopy(item, copies))
    return list
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  const copy: Record<string, unknown> = {}
  copies.set(value, copy)
  for (const [key, member] of Object.entries(value)) copy[key] = plainCopy(member, copies)
  return copy
}
