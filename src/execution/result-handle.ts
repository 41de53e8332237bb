import { randomHex } from '../tool/random-hex.ts'
import type { ToolLabels } from '../tool/tool-definition.ts'

// Says of itself what its result is, so that also a page that comes later knows: `e` not to be trusted, `p` private.
const form = /^result-(?:(e?p?)-)?[0-9a-f]{24}$/
const within = /result-(?:e?p?-)?[0-9a-f]{24}/

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

/** Whether a text names a handle. */
export function namesHandle(text: string): boolean {
  return within.test(text)
}
