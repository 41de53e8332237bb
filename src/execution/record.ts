import { now } from '../tool/clock.ts'
import { defined } from '../tool/defined.ts'
import type { ToolResponse } from '../tool/tool-response.ts'
import type { Executed } from './execute.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { runAfter } from './middleware.ts'
import type { OpenCall, PreparedCall, RefusedCall } from './prepare-call.ts'
import type { ToolCall, ToolResult } from './tool-result.ts'

/** Makes the one result of a call, tells it to every observer, and returns it. */
export function record(open: OpenCall, ended: RefusedCall | Executed, scope: ExecutionScope): ToolResult {
  const result = Object.freeze(
    'executedInput' in ended || 'listed' in ended.call
      ? executed(ended as Executed)
      : refused(ended as RefusedCall),
  )
  open.emit({ type: 'result', result })
  runAfter(result, scope, (error) => open.emit({ type: 'error', error }))
  return result
}

function refused({ settlement, call, origin }: RefusedCall): ToolResult {
  return defined({
    ...settlement,
    response: wellFormed(settlement.response),
    call: Object.freeze(call),
    origin,
  })
}

function executed({ settlement, call, executedInput, lane, startedAt }: Executed): ToolResult {
  return defined({
    ...settlement,
    response: wellFormed(settlement.response),
    call: toolCall(call),
    origin: call.origin,
    droppedKeys: call.droppedKeys.length === 0 ? undefined : call.droppedKeys,
    approval: call.approval,
    approvedInput: call.approvedInput,
    executedInput,
    lane,
    startedAt,
    durationMs: startedAt === undefined ? undefined : now() - startedAt,
  })
}

/** The part of a prepared call that the outside sees. */
export function toolCall({ id, providerId, name, proposedInput }: PreparedCall): ToolCall {
  return Object.freeze(defined({ id, providerId, name, input: proposedInput }))
}

// A lone surrogate in a result makes strict servers refuse every later request of the conversation.
function wellFormed(response: ToolResponse): ToolResponse {
  const text = response.text.replace(/\p{Surrogate}/gu, '\uFFFD')
  return Object.freeze({ ...response, text })
}
