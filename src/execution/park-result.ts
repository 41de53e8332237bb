import { longResultTextsEn } from '../tool/long-result-texts.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import { once } from '../tool/once.ts'
import { randomHex } from '../tool/random-hex.ts'
import type { LongResultTexts, ResultPlace } from '../tool/result-texts.ts'
import type { ToolLabels } from '../tool/tool-definition.ts'
import { cutEnds } from './cut-ends.ts'
import type { ExecutionScope } from './execution-scope.ts'
import type { Readers } from './parking.ts'
import type { EndedCall } from './prepare-call.ts'
import { mayBeRead, openReader } from './reader.ts'
import { newHandle } from './result-handle.ts'
import { resultStore } from './result-store.ts'
import { readResultName } from './visible-tools.ts'

/** What is done about results that are too long: one piece, so that it is fetched at once. */
export const parking: {
  readonly cutResult: typeof cutResult
  readonly reopenReader: typeof reopenReader
  readonly forget: (owner: string) => Promise<void>
} = { cutResult, reopenReader, forget: resultStore.forget }

/**
 * Cuts the text of an ending that is too long, keeps the whole of it, and has the run's next steps offer the tool that
 * reads it. Where it cannot be kept, or the tool not be offered, the text is cut all the same.
 *
 * @param labels - Of the call.
 */
async function cutResult(
  ended: EndedCall,
  labels: ToolLabels | undefined,
  scope: ExecutionScope,
): Promise<EndedCall> {
  const { settlement } = ended
  const { response, outcome } = settlement
  const { readers, runId, maxResultChars } = scope
  const texts = { ...longResultTextsEn, ...scope.texts.results }
  const text = response.text.replace(/\p{Surrogate}/gu, '\uFFFD')
  const handle = newHandle(labels)
  const isKept = mayBeRead(scope) && (await resultStore.put(handle, runId ?? outsideRuns(readers), text))
  if (isKept) await open(readers, runId, maxResultChars, texts)
  const noteFor = (place: ResultPlace) =>
    isKept ? texts.cutNote(place, readResultName, handle) : texts.cutForGood(place)
  const { length: total } = text
  // The note may become as long as with these places, and stands on a line of its own.
  const room = maxResultChars - noteFor({ from: total, to: total, total }).length - 1
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

/** Opens the reader again in a run that goes on from a saved state, if something is still kept for it. */
async function reopenReader(
  readers: Readers,
  runId: string,
  maxChars: number,
  { results }: ModelTexts,
): Promise<void> {
  if (await resultStore.has(runId)) await open(readers, runId, maxChars, { ...longResultTextsEn, ...results })
}

/** Stands for the run of calls that are outside of any: nobody but their executor reads what is kept for them. */
const outsideRuns = once((_readers: Readers) => randomHex())

async function open(
  readers: Readers,
  runId: string | undefined,
  maxChars: number,
  texts: LongResultTexts,
): Promise<void> {
  const key = runId ?? ''
  if (readers.has(key)) return
  const reader = await openReader(runId ?? outsideRuns(readers), maxChars, texts)
  // Another call of the step may have come first.
  if (!readers.has(key)) readers.set(key, reader)
}
