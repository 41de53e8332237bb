import type { JsonObject } from '../tool/json-value.ts'
import type { KnownCall, ToolCall, ToolResult, TypedCall } from '../tool/tool-result.ts'
import type { LogEntry } from '../toolset/tool-source.ts'
import type { ApprovalRequest } from './approval.ts'

interface CallEventFields {
  readonly callId: string
  /** Milliseconds since the epoch, with fractions. */
  readonly at: number
}

/**
 * What happens to calls, as it happens. With `ExecutionEvent<ServedCall<typeof tools>>` the name of a `call`
 * event narrows its input.
 */
export type ExecutionEvent<Known extends KnownCall = ToolCall> =
  /** A call was read and checked; it has not run yet. */
  | (CallEventFields & { readonly type: 'call'; readonly call: TypedCall<Known> })
  | (CallEventFields & { readonly type: 'approval-requested'; readonly request: ApprovalRequest })
  | (CallEventFields & {
      readonly type: 'approval-answered'
      readonly approved: boolean
      readonly reason?: string
    })
  /** The tool started. `lane` is the worker lane; absent in the page. */
  | (CallEventFields & { readonly type: 'call-started'; readonly lane?: string; readonly input: JsonObject })
  | (CallEventFields & { readonly type: 'progress'; readonly value: unknown })
  | (CallEventFields & { readonly type: 'log'; readonly entry: LogEntry })
  | (CallEventFields & { readonly type: 'result'; readonly result: ToolResult })
  /** Code of the app that only watches (an `after` observer) failed. The result stands. */
  | (CallEventFields & { readonly type: 'error'; readonly error: unknown })

/** An event without the fields that are the same for all; whoever tells it adds them. */
export type CallEvent = ExecutionEvent extends infer Event
  ? Event extends ExecutionEvent
    ? Omit<Event, keyof CallEventFields>
    : never
  : never
