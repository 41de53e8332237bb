import type { JsonObject, ToolIssue } from './json-value.ts'
import type { ToolChange } from './tool-change.ts'

/** What went wrong, for programs. A tool's own error keeps its own code, so the union is open. */
export type ToolErrorCode =
  | 'unknown-tool'
  | 'invalid-input'
  | 'invalid-output'
  | 'not-allowed'
  | 'denied'
  | 'middleware'
  | 'timeout'
  | 'cancelled'
  | 'cut-off'
  | 'limit'
  | 'model-retry'
  | 'tool-failed'
  | 'tool-threw'
  | 'uncloneable'
  | 'worker-lost'
  | 'worker-load'
  | 'closed'
  | (string & {})

/** What {@link ToolError} takes beside its message. */
export interface ToolErrorOptions {
  /** Machine-readable reason. */
  readonly code: ToolErrorCode
  /** Whether the same call may succeed when made again. @default false */
  readonly retryable?: boolean
  /** What is wrong with a value, when the failure is about one. */
  readonly issues?: readonly ToolIssue[]
  /** The name shown in front of the message. @default 'ToolError' */
  readonly name?: string
  /** The error or value behind this one. */
  readonly cause?: unknown
}

/**
 * A failure of one call, with a `code`. It survives the way out of a worker with its name, message, code,
 * retryable flag and issues. Recognise it with {@link isToolError}, not `instanceof`: an app may hold two
 * copies of the library.
 */
export class ToolError extends Error {
  readonly code: ToolErrorCode
  readonly retryable: boolean
  declare readonly issues?: readonly ToolIssue[]

  constructor(message: string, options: ToolErrorOptions) {
    super(message, options)
    this.name = options.name ?? 'ToolError'
    this.code = options.code
    this.retryable = options.retryable ?? false
    if (options.issues !== undefined) this.issues = options.issues
  }
}

/** Whether a value is a failure with a code, made by this or another copy of the library. */
export function isToolError(value: unknown): value is ToolError {
  return value instanceof Error && typeof (value as { code?: unknown }).code === 'string'
}

/**
 * A mistake of the developer, thrown at once where a tool is defined or registered. The message says what
 * is wrong, where, and how to mend it.
 */
export class ToolRegistrationError extends Error {
  readonly code = 'registration'

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'ToolRegistrationError'
  }
}

/** Thrown by a tool: the model is told `message` and asked to try again. */
export class ModelRetry extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ModelRetry'
  }
}

/** Thrown by a tool: the call failed for good, with a text for the model. It does not count as a retry. */
export class ToolFailed extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ToolFailed'
  }
}

/**
 * Thrown by a tool's `execute` or `check`: the person is asked first. After a yes the tool runs from the
 * start, with `context.approval` set.
 */
export class ApprovalRequired extends Error {
  /** What of the tool has changed since it was trusted: shown beside the reason. */
  readonly change?: ToolChange
  /**
   * What exactly the yes is to, beside the input: a digest of it. Such a yes is for one call and is never remembered; when
   * the tool names something else, also for an input that the person changed, the person is asked again.
   */
  readonly boundTo?: string
  /** Several reasons of a `check`, one below the other; absent when there is one, which is the message. */
  readonly reasons?: readonly string[]

  /**
   * @param reason - Why, for the person. A line end in it is shown as a mark, since it may come from the model; what is to
   *   stand on lines of its own is a list of reasons.
   */
  constructor(
    reason: string | readonly string[],
    options: { readonly change?: ToolChange | undefined; readonly boundTo?: string | undefined } = {},
  ) {
    super(typeof reason === 'string' ? reason : reason.join('\n'))
    this.name = 'ApprovalRequired'
    if (typeof reason !== 'string') this.reasons = reason
    if (options.change !== undefined) this.change = options.change
    if (options.boundTo !== undefined) this.boundTo = options.boundTo
  }
}

/**
 * Thrown by a tool's `execute`: the answer comes later and from elsewhere. The run pauses once the other calls of
 * the step are over, and goes on with `agent.resume(state, { [callId]: { output } })`.
 */
export class CallDeferred extends Error {
  /** For the app, plain JSON: where the answer will come from, a ticket's number. */
  readonly metadata?: JsonObject

  constructor(metadata?: JsonObject) {
    super('the answer comes later')
    this.name = 'CallDeferred'
    if (metadata !== undefined) this.metadata = metadata
  }
}

/**
 * A worker of a `WorkerToolset` could not be started or did not answer. The message names what could be
 * told apart and lists what is left to check.
 */
export class ToolWorkerError extends Error {
  /** `no-worker`: no `Worker` in this realm; `load`: the worker did not become ready; `closed`: used after `close()`. */
  readonly code: 'no-worker' | 'load' | 'closed'

  constructor(
    message: string,
    code: 'no-worker' | 'load' | 'closed',
    options?: { readonly cause?: unknown },
  ) {
    super(message, options)
    this.name = 'ToolWorkerError'
    this.code = code
  }
}
