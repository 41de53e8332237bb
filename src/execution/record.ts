import { now } from '../tool/clock.ts'
import { defined } from '../tool/defined.ts'
import type { ToolResponse } from '../tool/tool-response.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { runAfter } from './middleware.ts'
import { type EndedCall, toolCall } from './prepare-call.ts'
import type { ToolResult } from './tool-result.ts'

/** Makes the one result of a call, tells it to every observer, and returns it. */
export function record(ended: EndedCall, scope: ExecutionScope): ToolResult {
  const { settlement, call, executedInput, lane, startedAt } = ended
  const { origin, droppedKeys, approval, approvedInput } = call
  const result: ToolResult = Object.freeze(
    defined({
      ...settlement,
      response: wellFormed(settlement.response),
      call: toolCall(call),
      origin,
      droppedKeys: droppedKeys?.length ? droppedKeys : undefined,
      approval,
      approvedInput,
      executedInput,
      lane,
      startedAt,
      durationMs: startedAt && now() - startedAt,
    }),
  )
  call.emit({ type: 'result', result })
  runAfter(result, scope, (error) => call.emit({ type: 'error', error }))
  return result
}

// A lone surrogate in a result makes strict servers refuse every later request of the conversation.
function wellFormed(response: ToolResponse): ToolResponse {
  const text = response.text.replace(/\p{Surrogate}/gu, '\uFFFD')
  return Object.freeze({ ...response, text })
}
