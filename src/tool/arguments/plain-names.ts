/** A name as long as this with decorations is none. */
const maxChars = 200

/**
 * The names that a decorated one may stand for, for example `search` for `functions.search`, `search()` or
 * ` search `, and `notes_search` or `search` for `mcp__notes__search`. Which one it is only the tools can say.
 */
export function plainNames(written: string): readonly string[] {
  if (written.length > maxChars) return []
  const bare = written.trim().replace(/\s*\(\s*\)$/, '')
  const [, called = bare] = /^(?:functions|default_api)[.:](.+)$/.exec(bare) ?? []
  const [, server, name] = /^mcp__(.+?)__(.+)$/.exec(called) ?? []
  return [called, ...(name === undefined ? [] : [`${server}_${name}`, name])]
}

const isTaken = /^[a-zA-Z0-9_-]{1,64}$/

/** A name that every provider takes back with the history: one that it wrote itself may be refused. */
export function historyName(written: string): string {
  if (isTaken.test(written)) return written
  return written.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || '_'
}
