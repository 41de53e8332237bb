import { ToolRegistrationError } from './errors.ts'

/** The names that every provider takes (OpenAI's and Anthropic's documented rule). */
export const toolNamePattern: RegExp = /^[a-zA-Z0-9_-]{1,64}$/

/** Throws a {@link ToolRegistrationError} unless `name` is a valid tool name. */
export function checkToolName(name: unknown, where: string): asserts name is string {
  if (typeof name === 'string' && toolNamePattern.test(name)) return
  const shown = typeof name === 'string' ? `"${name.slice(0, 80)}"` : `of type ${typeof name}`
  throw new ToolRegistrationError(
    `${where}: the tool name ${shown} is not valid. Use 1 to 64 letters, digits, "_" or "-".`,
  )
}

/**
 * The known name that is closest to `name`, or undefined when none is close. Only a suggestion: a fuzzy
 * match never runs a tool.
 */
export function closestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = plain(name)
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(wanted, plain(candidate))
    if (distance >= bestDistance) continue
    best = candidate
    bestDistance = distance
  }
  return best
}

/** What to write instead of a name that is not there. */
export function nameHint(name: string, known: readonly string[], what: string): string {
  const close = closestName(name, known)
  return close === undefined
    ? `The ${what} are ${known.slice(0, 20).join(', ') || 'none'}.`
    : `Did you mean "${close}"?`
}

function plain(name: string): string {
  return name
    .slice(0, 64)
    .toLowerCase()
    .replace(/[-_.\s]/g, '')
}

// Levenshtein with one row.
function editDistance(a: string, b: string): number {
  let row = [...Array(b.length + 1).keys()]
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j += 1) {
      const change = (row[j] as number) + (a[i] === b[j] ? 0 : 1)
      next.push(Math.min(change, (row[j + 1] as number) + 1, (next[j] as number) + 1))
    }
    row = next
  }
  return row[b.length] as number
}
