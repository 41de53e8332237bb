import { expect } from 'vitest'

/** Matches the text of a result that is this, in a fence. */
export function fenced(text: string): unknown {
  const literal = text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return expect.stringMatching(new RegExp(`^<<outside ([0-9a-f]{24}): [^\\n]*>>\\n${literal}\\n<<end \\1>>$`))
}
