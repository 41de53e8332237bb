import type { ErrorData } from './error-data.ts'
import type { JsonObject, ToolIssue } from './json-value.ts'
import type { ToolChange } from './tool-change.ts'
import type { ToolLabels } from './tool-definition.ts'
import type { ToolResponse } from './tool-response.ts'

/**
 * What came of looking at a call before it runs: the input as everyone will see it, and whether a person
 * must be asked. Plain data: it may come from another thread.
 */
export type Preflight =
  | {
      readonly kind: 'ready'
      /** Defaults filled in, unknown keys gone. */
      readonly input: JsonObject
      readonly droppedKeys: readonly string[]
      readonly needsApproval: boolean
      /** Why the tool wants a person asked, in its own words. */
      readonly reasons: readonly string[]
      /** What of the tool has changed since it was trusted, if that is why. */
      readonly change?: ToolChange
      /** What exactly a yes is to, beside the input: it holds for nothing else, and is not remembered. */
      readonly boundTo?: string
      /** Calls of one tool with equal keys run one after the other. */
      readonly concurrencyKey?: string
      readonly labels: ToolLabels
      /** The tool itself was not asked yet: `call` checks the input before the tool starts. */
      readonly unchecked?: boolean
    }
  /** A person fills in the fields that the tool keeps for them; then the whole input is looked at again. */
  | { readonly kind: 'fields'; readonly input: JsonObject; readonly droppedKeys: readonly string[] }
  | { readonly kind: 'invalid'; readonly issues: readonly ToolIssue[] }
  | { readonly kind: 'retry'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'crash'; readonly error: ErrorData }
  /** The check did not answer in time. */
  | {
      readonly kind: 'timeout'
      /** The worker that kept the state of the tools that are not parallel-safe was ended. */
      readonly stateLost?: boolean
    }

/** How a call ended where the tool lives. Plain data, and the only thing that crosses a thread. */
export type CallOutcome =
  | {
      readonly kind: 'response'
      readonly response: ToolResponse
      /** The tool gave back nothing; the text is the executor's to choose. */
      readonly empty?: boolean
    }
  | { readonly kind: 'invalid'; readonly issues: readonly ToolIssue[] }
  | { readonly kind: 'retry'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string }
  /** The tool asks for a person's yes and will start again with it. */
  | {
      readonly kind: 'approval'
      readonly reason: string
      /** The reason as several. */
      readonly reasons?: readonly string[]
      readonly change?: ToolChange
      readonly boundTo?: string
    }
  /** The answer comes later and from elsewhere. */
  | { readonly kind: 'deferred'; readonly metadata?: JsonObject }
  | { readonly kind: 'crash'; readonly error: ErrorData; readonly mayHaveRun?: boolean }
  /**
   * The check that the preflight had left to the call ended it before the tool started; an answer of the kind
   * `ready` needs a person's yes first.
   */
  | { readonly kind: 'not-ready'; readonly answer: Preflight }
  /** Stopped because its signal aborted. */
  | {
      readonly kind: 'stopped'
      /** False only when it certainly never started. */
      readonly mayHaveRun: boolean
      /** The worker that kept the state of the tools that are not parallel-safe was ended. */
      readonly stateLost?: boolean
      /** The tool ignored its signal and may still be running (no worker, so no hard kill). */
      readonly stillRunning?: boolean
    }
