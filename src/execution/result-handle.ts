import { randomHex } from '../tool/random-hex.ts'
import type { ToolLabels } from '../tool/tool-definition.ts'
import { readFence } from './fence.ts'
import { readResultName } from './visible-tools.ts'

// Says of itself what its result is, so that also a page that comes later knows: `e` not to be trusted, `p` private.
const form = /^result-(?:(e?p?)-)?[0-9a-f]{24}$/
const within = /result-(?:e?p?-)?[0-9a-f]{24}(?![0-9a-f])/g

/** A new handle for the long result of a call with these labels. Nobody can guess it. */
export function newHandle(labels: Pick<ToolLabels, 'externalContent' | 'reads'> | undefined): string {
  // Of the result of a tool that is gone nothing is known.
  const { externalContent, reads } = labels ?? { externalContent: true, reads: 'private' }
  const letters = `${externalContent ? 'e' : ''}${reads === 'private' ? 'p' : ''}`
  return `result-${letters && `${letters}-`}${randomHex()}`
}

/** What a handle says of its result; undefined for what is no handle. */
export function readHandle(handle: string): Pick<ToolLabels, 'externalContent' | 'reads'> | undefined {
  const [whole, letters = ''] = form.exec(handle) ?? []
  if (whole === undefined) return undefined
  return { externalContent: letters.includes('e'), reads: letters.includes('p') ? 'private' : 'public' }
}

/** The line behind a result that says how what was left out of it is read. */
export interface ReadNote {
  readonly handle: string
  /** What stands before the line, in the same text. */
  readonly before: string
  readonly line: string
  readonly behind: string
}

/** Finds that line in the text of a result; undefined when there is none. What stands in a fence is none. */
export function readNote(text: string): ReadNote | undefined {
  // Most texts name none.
  if (!text.includes(readResultName)) return undefined
  const { behind: own = text } = readFence(text) ?? {}
  // It stands behind the text of the tool.
  const found = [...own.matchAll(within)].at(-1)
  if (found === undefined) return undefined
  const at = text.length - own.length + found.index
  const from = text.lastIndexOf('\n', at) + 1
  const end = text.indexOf('\n', at)
  const to = end === -1 ? text.length : end
  const line = text.slice(from, to)
  if (!line.includes(readResultName)) return undefined
  return { handle: found[0], before: text.slice(0, from), line, behind: text.slice(to) }
}
