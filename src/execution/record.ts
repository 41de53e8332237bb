import { now } from '../tool/clock.ts'
import { canonicalJson } from '../tool/json-value.ts'
import { originOf } from '../tool/tool-origin.ts'
import type { ToolResponse } from '../tool/tool-response.ts'
import type { Settlement, ToolResult } from '../tool/tool-result.ts'
import { modelsPart } from '../tool/user-fields.ts'
import type { Writable } from '../tool/writable.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { fencedResponse, isExternal, isFenced, isOwnText, markFenced } from './external-content.ts'
import { layersOf, runAfter } from './middleware.ts'
import { retriesOf } from './preflight.ts'
import { type EndedCall, toolCall } from './prepare-call.ts'
import { taintOf } from './result-taint.ts'
import { isFailedTry } from './run-budget.ts'

/**
 * Makes the one result of a call, tells it to every observer, and returns it. A call that waits for an answer is
 * not over: nobody is told of a result.
 */
export function record(ended: EndedCall, scope: ExecutionScope): ToolResult {
  const { settlement, call, lane } = ended
  const { repaired = [], droppedKeys = [], approval, approvedInput } = call
  // A call that was refused before its tool was looked for may name one all the same.
  const listed = call.listed ?? scope.tools.get(call.name)
  const own = ownResponse(settlement, call, listed, scope)
  const response = wellFormed(withAdvice(own, ended, listed, scope))
  if (isFenced(own)) markFenced(response)
  const endedAt = now()
  const result = settledCall(ended, listed, response, endedAt)
  const taint = taintOf(ended, listed)
  if (taint !== undefined) result.taint = taint
  if (repaired.length > 0) result.repaired = repaired
  if (droppedKeys.length > 0) result.droppedKeys = droppedKeys
  if (approval !== undefined) result.approval = approval
  if (approvedInput !== undefined) result.approvedInput = approvedInput
  if (lane !== undefined) result.lane = lane
  Object.freeze(result)
  scope.trail?.end(ended)
  if (result.outcome === 'deferred') return result
  scope.emit?.(call.id, { type: 'result', result }, endedAt)
  const layers = listed === undefined ? scope.middleware : layersOf(listed, scope)
  if (layers.length > 0) {
    runAfter(result, layers, scope, (error) => scope.emit?.(call.id, { type: 'error', error }))
  }
  return result
}

// Whole in one go: an object that grows member by member takes three times the memory, and there is one for each call.
function settledCall(
  { settlement, call, startedAt }: EndedCall,
  listed: ListedTool | undefined,
  response: ToolResponse,
  endedAt: number,
): Writable<ToolResult> {
  const { outcome, error, pending } = settlement
  const asked = toolCall(call)
  const result: Writable<ToolResult> =
    startedAt !== undefined && call.input !== undefined && listed !== undefined
      ? {
          call: asked,
          outcome,
          response,
          origin: originOf(listed),
          executedInput: call.input,
          startedAt,
          durationMs: endedAt - startedAt,
        }
      : { call: asked, outcome, response }
  if (listed !== undefined) result.origin = originOf(listed)
  if (error !== undefined) result.error = error
  if (pending !== undefined) result.pending = pending
  return result
}

/** What the tool gave: in a fence, where that is not to be trusted. */
function ownResponse(
  settlement: Settlement,
  { name, labels }: EndedCall['call'],
  listed: ListedTool | undefined,
  { texts }: ExecutionScope,
): ToolResponse {
  const { response } = settlement
  const isOutside = isExternal(labels, listed?.definition.labels) && isOwnText(settlement)
  return isOutside ? fencedResponse(response, name, texts) : response
}

/**
 * What the model should know beside the response: what the person made of the call, and what to do about a failed try.
 * Added here and not where the tool answered: middleware that rewrites the response cannot lose it.
 */
function withAdvice(
  response: ToolResponse,
  { settlement, call, note }: EndedCall,
  listed: ListedTool | undefined,
  scope: ExecutionScope,
): ToolResponse {
  const { outcome, error } = settlement
  const { name, edited, input, approval } = call
  const { texts } = scope
  const lines = [response.text]
  if (note !== undefined) lines.push(note)
  if (outcome !== 'deferred' && error === undefined) {
    if (edited && input !== undefined) {
      lines.push(texts.inputEdited(canonicalJson(modelsPart(input, listed?.definition))))
    }
    if (approval?.reason !== undefined) lines.push(texts.approvedWithNote(approval.reason))
  }
  const advice = adviceFor(settlement, name, listed, scope)
  if (advice !== undefined) lines.push(advice)
  return lines.length === 1 ? response : { ...response, text: lines.join('\n') }
}

function adviceFor(
  settlement: Settlement,
  name: string,
  listed: ListedTool | undefined,
  scope: ExecutionScope,
): string | undefined {
  const { texts, budget } = scope
  if (!isFailedTry(settlement)) return undefined
  const attempt = budget?.attempt(name) ?? 0
  const isLast = listed !== undefined && attempt > retriesOf(listed.definition, scope)
  if (isLast && budget !== undefined) return texts.exhausted(name, attempt)
  return settlement.outcome === 'timeout' ? undefined : texts.tryAgain
}

const surrogate = /[\uD800-\uDFFF]/

// A lone surrogate in a result makes strict servers refuse every later request of the conversation.
function wellFormed(response: ToolResponse): ToolResponse {
  const { text } = response
  // Most texts have no surrogate at all, which is found in a fraction of the time.
  const isPlain = !surrogate.test(text)
  return Object.freeze(
    isPlain ? { ...response } : { ...response, text: text.replace(/\p{Surrogate}/gu, '\uFFFD') },
  )
}
