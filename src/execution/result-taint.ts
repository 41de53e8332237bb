import { strictest } from '../tool/option-rules.ts'
import { originOf } from '../tool/tool-origin.ts'
import type { CallEnding, ResultTaint } from '../tool/tool-result.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import type { EndedCall } from './prepare-call.ts'
import { mayTaint } from './run-taint.ts'

/** Endings of which only the library and the person say something: nothing of the tool is in the text. */
export const ownWords: readonly CallEnding[] = [
  ...(['unknown', 'denied', 'not-allowed', 'limit', 'cut-off'] as const),
  ...(['timeout', 'cancelled', 'interrupted', 'deferred'] as const),
]

/**
 * What a result brings into the run; undefined for a tool that brings nothing. Its errors count as its results do. A
 * call that was answered elsewhere while its tool went away brings the worst.
 */
export function taintOf(
  { settlement, call }: EndedCall,
  listed: ListedTool | undefined,
): ResultTaint | undefined {
  if (listed === undefined) {
    const isOwn = ownWords.includes(settlement.outcome) || settlement.outcome === 'invalid'
    return isOwn ? undefined : { untrusted: true, private: true, origin: 'app' }
  }
  if (!mayTaint(listed) && !call.labels?.externalContent) return undefined
  const origin = originOf(listed)
  if (ownWords.includes(settlement.outcome)) return { untrusted: false, private: false, origin }
  // Of a call that did not come as far as to be judged, and of one that was answered elsewhere, the worst.
  const { externalContent, reads } = call.labels ?? strictest(listed.definition.labels)
  return { untrusted: externalContent, private: reads === 'private', origin }
}
