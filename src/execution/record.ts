import { now } from '../tool/clock.ts'
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
  return {
    ...settlement,
    response: wellFormed(settlement.response),
    call: Object.freeze(call),
    ...(origin === undefined ? {} : { origin }),
  }
}

function executed({ settlement, call, executedInput, lane, startedAt }: Executed): ToolResult {
  return {
    ...settlement,
    response: wellFormed(settlement.response),
    call: toolCall(call),
    origin: call.origin,
    ...(call.droppedKeys.length === 0 ? {} : { droppedKeys: call.droppedKeys }),
    ...(call.approval === undefined ? {} : { approval: call.approval }),
    ...(call.approvedInput === undefined ? {} : { approvedInput: call.approvedInput }),
    ...(executedInput === undefined ? {} : { executedInput }),
    ...(lane === undefined ? {} : { lane }),
    ...(startedAt === undefined ? {} : { startedAt, durationMs: now() - startedAt }),
  }
}

/** The part of a prepared call that the outside sees. */
export function toolCall(call: PreparedCall): ToolCall {
  return Object.freeze({
    id: call.id,
    ...(call.providerId === undefined ? {} : { providerId: call.providerId }),
    name: call.name,
    input: call.proposedInput,
  })
}

// A lone surrogate in a result makes strict servers refuse every later request of the conversation.
function wellFormed(response: ToolResponse): ToolResponse {
  const text = response.text.replace(/\p{Surrogate}/gu, '\uFFFD')
  return Object.freeze({ ...response, text })
}
