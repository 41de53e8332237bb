import { longResultTextsEn } from '../tool/long-result-texts.ts'
import { once } from '../tool/once.ts'
import { randomHex } from '../tool/random-hex.ts'
import type { ResultPlace } from '../tool/result-texts.ts'
import type { ToolLabels } from '../tool/tool-definition.ts'
import { refusal } from '../toolset/tool-permissions.ts'
import { cutEnds } from './cut-ends.ts'
import type { ExecutionScope } from './execution-scope.ts'
import type { KeptBefore, Readers } from './parking.ts'
import type { EndedCall } from './prepare-call.ts'
import { openReader, type ReaderSetup } from './reader.ts'
import { newHandle } from './result-handle.ts'
import { safeResultStore } from './safe-result-store.ts'
import { denyListsOf, readResultName } from './visible-tools.ts'

/** What is done about results that are too long: one piece, so that it is fetched at once. */
export const parking: {
  readonly cutResult: typeof cutResult
  readonly reopenReader: typeof reopenReader
  readonly safeResultStore: typeof safeResultStore
} = { cutResult, reopenReader, safeResultStore }

/**
 * Cuts the text of an ending that is too long, keeps the whole of it, and has the run's next steps offer the tool that
 * reads it. Where it cannot be kept, or the tool not be offered, the text is cut all the same.
 *
 * @param labels - Of the call.
 * @param maxChars - Of the text that is left.
 */
async function cutResult(
  ended: EndedCall,
  labels: ToolLabels | undefined,
  scope: ExecutionScope,
  maxChars: number,
): Promise<EndedCall> {
  const { settlement } = ended
  const { response, outcome } = settlement
  const texts = { ...longResultTextsEn, ...scope.texts.results }
  const text = response.text.replace(/\p{Surrogate}/gu, '\uFFFD')
  const handle = newHandle(labels)
  const isKept = mayBeRead(scope) && (await keep(handle, text, scope))
  const noteFor = (place: ResultPlace) =>
    isKept ? texts.cutNote(place, readResultName, handle) : texts.cutForGood(place)
  const { length: total } = text
  // The note may become as long as with these places, and stands on a line of its own.
  const room = maxChars - noteFor({ from: total, to: total, total }).length - 1
  const { text: ends, left } = cutEnds(text, room, texts)
  const metadata = { ...response.metadata, cut: { ...left, ...(isKept ? { handle } : {}) } }
  const cut = { ...response, text: ends, metadata }
  const isWhole = outcome === 'success'
  return {
    ...ended,
    note: noteFor(left),
    settlement: isWhole
      ? { ...settlement, outcome: 'partial', response: { ...cut, status: 'partial' } }
      : { ...settlement, response: cut },
  }
}

/** Whether a run can be offered the tool that reads results: the app has no other one of that name, and denies none. */
function mayBeRead({ readers, runId = '', tools, ...rules }: ExecutionScope): boolean {
  return (readers.has(runId) || !tools.has(readResultName)) && !isDenied(rules)
}

function isDenied({ permissions, texts }: Pick<ExecutionScope, 'permissions' | 'texts'>): boolean {
  return refusal(denyListsOf(permissions), readResultName, 'builtin', texts) !== undefined
}

async function keep(handle: string, text: string, scope: ExecutionScope): Promise<boolean> {
  const { readers, runId = '', keptFor, resultStore, maxResultChars, texts } = scope
  const owner = keptFor ?? (runId || outsideRuns(readers))
  const store = safeResultStore(resultStore)
  if (!(await store.put(owner, handle, text))) return false
  await open(readers, runId, { owner, store, maxChars: maxResultChars, texts })
  return true
}

/**
 * Opens the reader for a run that goes on with what was kept before, and gives the handles of what is still there.
 * Nothing is, for a run that may not be offered it.
 */
async function reopenReader(
  readers: Readers,
  runId: string,
  { permissions, resultStore, ...setup }: KeptBefore,
): Promise<readonly string[]> {
  const { owner, texts } = setup
  if (isDenied({ permissions, texts })) return []
  const store = safeResultStore(resultStore)
  const handles = await store.list(owner)
  if (handles.length > 0) await open(readers, runId, { ...setup, store })
  return handles
}

/** Stands for the run of calls that are outside of any: nobody but their executor reads what is kept for them. */
const outsideRuns = once((_readers: Readers) => randomHex())

async function open(readers: Readers, runId: string, setup: ReaderSetup): Promise<void> {
  if (readers.has(runId)) return
  const reader = await openReader(setup)
  // Another call of the step may have come first.
  if (!readers.has(runId)) readers.set(runId, reader)
}
