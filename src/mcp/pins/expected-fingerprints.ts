import { ToolError } from '../../tool/errors.ts'
import { cutText } from '../cut-text.ts'
import type { PinnableTool } from './check-pins.ts'

/** How a server's tools differ from what an app expects. Names are the server's own. */
export interface FingerprintMismatch {
  readonly changed: readonly string[]
  readonly missing: readonly string[]
  readonly unexpected: readonly string[]
}

/** The differences, or undefined when there are none. Tools that were set aside count as missing. */
export function fingerprintMismatch(
  tools: readonly PinnableTool[],
  expected: Readonly<Record<string, string>>,
): FingerprintMismatch | undefined {
  const found = new Map(tools.map(({ originalName, fingerprint }) => [originalName, fingerprint]))
  const wanted = new Map(Object.entries(expected))
  const mismatch = {
    changed: [...wanted.keys()].filter(
      (name) => found.has(name) && found.get(name) !== wanted.get(name)?.toLowerCase(),
    ),
    missing: [...wanted.keys()].filter((name) => !found.has(name)),
    unexpected: [...found.keys()].filter((name) => !wanted.has(name)),
  }
  return Object.values(mismatch).every((names) => names.length === 0) ? undefined : mismatch
}

/**
 * Refuses a server whose tools are not exactly those that the app expects: none of them is used.
 *
 * @throws {@link ToolError} with the code `fingerprint-mismatch` that lists all differences.
 */
export function checkExpected(
  tools: readonly PinnableTool[],
  expected: Readonly<Record<string, string>>,
  namespace: string,
): void {
  const mismatch = fingerprintMismatch(tools, expected)
  if (mismatch === undefined) return
  const { changed, missing, unexpected } = mismatch
  const now = new Map(tools.map(({ originalName, fingerprint }) => [originalName, fingerprint]))
  const differences = [
    ...changed.map((name) => `${quoted(name)} is another one (${shortOf(now.get(name))})`),
    ...missing.map((name) => `${quoted(name)} is missing, or cannot be used`),
    ...unexpected.map((name) => `${quoted(name)} is not expected (${shortOf(now.get(name))})`),
  ]
  throw new ToolError(
    `No tool of the MCP server "${namespace}" is used, because they are not those in expectedFingerprints: ` +
      `${differences.join('; ')}. ${hint(tools)}`,
    { code: 'fingerprint-mismatch' },
  )
}

function hint(tools: readonly PinnableTool[]): string {
  return tools.some(({ fingerprint }) => !isHash(fingerprint))
    ? 'This page is no secure context, where no fingerprint can be made: serve it over https, or from localhost.'
    : 'Look at what changed, and if it is as it should be, write the new fingerprints there.'
}

function isHash(fingerprint: string): boolean {
  return /^[0-9a-f]{64}$/.test(fingerprint)
}

function shortOf(fingerprint = ''): string {
  return isHash(fingerprint) ? fingerprint : 'without a fingerprint'
}

// In a message, invisible characters of a name must be seen.
function quoted(name: string): string {
  const shown = JSON.stringify(cutText(name, 80))
  return shown.replace(/[^\x20-\x7E]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
