const maxLength = 64

/**
 * The names under which a model sees the tools of one server, by the names the server gave them:
 * `{namespace}_{name}` with other characters replaced by `_`. One that would be too long is cut and gets a
 * hash of the original name; so does one that would be the same as another's. They depend on which names
 * there are, and not on their order.
 *
 * @param originals - Each only once.
 */
export function nameTools(namespace: string, originals: readonly string[]): ReadonlyMap<string, string> {
  // In an order of their own, so that the server's makes no difference.
  const all = [...originals].sort().map((original) => {
    const full = `${namespace}_${original}`
    return { original, full, plain: full.replace(/[^a-zA-Z0-9_-]/gu, '_') }
  })
  const wanted = new Map<string, number>()
  for (const { plain } of all) wanted.set(plain, (wanted.get(plain) ?? 0) + 1)
  const isExact = (name: (typeof all)[number]) => name.plain === name.full && name.plain.length <= maxLength
  const keepsPlain = (name: (typeof all)[number]) =>
    isExact(name) || (name.plain.length <= maxLength && wanted.get(name.plain) === 1)
  const taken = new Set(all.filter(keepsPlain).map(({ plain }) => plain))
  return new Map(
    all.map((name) => [
      name.original,
      keepsPlain(name) ? name.plain : withHash(name.original, name.plain, taken),
    ]),
  )
}

// The number makes each attempt another name, so that it ends: after at most as many as there are names.
function withHash(original: string, plain: string, taken: Set<string>): string {
  for (let attempt = 0; ; attempt += 1) {
    const suffix = `_${hash(original)}${attempt === 0 ? '' : `_${attempt}`}`
    const name = plain.slice(0, maxLength - suffix.length) + suffix
    if (taken.has(name)) continue
    taken.add(name)
    return name
  }
}

/**
 * FNV-1a of 32 bits, as 8 hexadecimal digits. Tells names apart, keeps no secret: a clash only costs one more
 * attempt.
 */
function hash(text: string): string {
  let value = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0
  return value.toString(16).padStart(8, '0')
}
