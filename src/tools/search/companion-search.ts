import type { RunContext } from '../../tool/run-context.ts'
import { isRecord } from '../../tool/value-kinds.ts'
import { type CompanionOption, callCompanion } from '../companion/call-companion.ts'
import { readResults } from './read-results.ts'
import type { PassedOver, SearchResult } from './search-source.ts'
import type { SearchTexts } from './search-texts.ts'

/** What a companion found, and with what. */
export interface CompanionFound {
  /** Absent when it could not search. */
  readonly source?: string
  readonly results: readonly SearchResult[]
  /** Its own sources that it passed over, or itself. */
  readonly degraded: readonly PassedOver[]
}

/** Each of its four sources may take its whole time. In milliseconds. */
const companionMs = 40_000

/** Searches with the companion, which tries its own sources in turn. */
export async function searchCompanion(
  companion: CompanionOption,
  input: { readonly query: string; readonly maxResults: number },
  context: Pick<RunContext, 'signal' | 'progress'>,
  texts: SearchTexts,
): Promise<CompanionFound> {
  const call = { tool: 'web_search', input, timeoutMs: companionMs } as const
  const answer = await callCompanion(companion, call, context)
  const failed = (reason: string) => ({ results: [], degraded: [{ source: 'companion', reason }] })
  if (answer.kind !== 'answer') return failed(answer.reason === '' ? texts.noCompanion : answer.reason)
  const { data, text } = answer.response
  if (!isRecord(data)) return failed(text)
  const { source, results, degraded } = data
  const found = readResults(results, input.maxResults) ?? []
  const passed = Array.isArray(degraded) ? degraded.flatMap(readPassed) : []
  return typeof source === 'string'
    ? { source, results: found, degraded: passed }
    : { results: [], degraded: passed.length > 0 ? passed : failed(text).degraded }
}

function readPassed(item: unknown): PassedOver[] {
  if (!isRecord(item)) return []
  const { source, reason } = item
  return typeof source === 'string' && typeof reason === 'string' ? [{ source, reason }] : []
}
