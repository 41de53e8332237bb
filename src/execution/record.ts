import { now } from '../tool/clock.ts'
import { defined } from '../tool/defined.ts'
import { canonicalJson } from '../tool/json-value.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import { originOf } from '../tool/tool-origin.ts'
import type { ToolResponse } from '../tool/tool-response.ts'
import type { Settlement, ToolResult } from '../tool/tool-result.ts'
import { modelsPart } from '../tool/user-fields.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { layersOf, runAfter } from './middleware.ts'
import { retriesOf } from './preflight.ts'
import { type EndedCall, toolCall } from './prepare-call.ts'
import { isFailedTry } from './run-budget.ts'

/**
 * Makes the one result of a call, tells it to every observer, and returns it. A call that waits for an answer is
 * not over: nobody is told of a result.
 */
export function record(ended: EndedCall, scope: ExecutionScope): ToolResult {
  const { settlement, call, executedInput, lane, startedAt } = ended
  const { droppedKeys, approval, approvedInput } = call
  // A call that was refused before its tool was looked for may name one all the same.
  const listed = call.listed ?? scope.tools.get(call.name)
  const result: ToolResult = Object.freeze(
    defined({
      ...settlement,
      response: wellFormed(withAdvice(settlement, call, listed, scope)),
      call: toolCall(call),
      origin: listed && originOf(listed),
      droppedKeys: droppedKeys?.length ? droppedKeys : undefined,
      approval,
      approvedInput,
      executedInput,
      lane,
      startedAt,
      durationMs: startedAt && now() - startedAt,
    }),
  )
  if (result.outcome === 'deferred') return result
  call.emit({ type: 'result', result })
  const layers = listed === undefined ? scope.middleware : layersOf(listed, scope)
  runAfter(result, layers, scope, (error) => call.emit({ type: 'error', error }))
  return result
}

/** What the model should know beside the response: what the person made of the call, and what to do about a failed try. */
function withAdvice(
  settlement: Settlement,
  call: EndedCall['call'],
  listed: ListedTool | undefined,
  scope: ExecutionScope,
): ToolResponse {
  const { response } = settlement
  const advice = adviceFor(settlement, call.name, listed, scope)
  const lines = [...personsPart(settlement, call, scope.texts), ...(advice === undefined ? [] : [advice])]
  return lines.length === 0 ? response : { ...response, text: [response.text, ...lines].join('\n') }
}

// Added here and not where the tool answered: middleware that rewrites the response cannot lose it.
function personsPart(
  { outcome, error }: Settlement,
  { edited, input, approval, listed }: EndedCall['call'],
  texts: ModelTexts,
): readonly string[] {
  if (outcome === 'deferred' || error !== undefined) return []
  const note = approval?.reason === undefined ? [] : [texts.approvedWithNote(approval.reason)]
  return edited && input !== undefined
    ? [texts.inputEdited(canonicalJson(modelsPart(input, listed?.definition))), ...note]
    : note
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

// A lone surrogate in a result makes strict servers refuse every later request of the conversation.
function wellFormed(response: ToolResponse): ToolResponse {
  const { text } = response
  // Most texts have no surrogate at all, which is found in a fraction of the time.
  const isPlain = !/[\uD800-\uDFFF]/.test(text)
  return Object.freeze(
    isPlain ? { ...response } : { ...response, text: text.replace(/\p{Surrogate}/gu, '\uFFFD') },
  )
}
