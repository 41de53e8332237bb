import type { PendingCall } from '../tool/pending-call.ts'
import type { ToolCall, ToolResult } from '../tool/tool-result.ts'

/** A call that passed the gates, or ended at one of them. */
export interface OpenedCall {
  readonly call: ToolCall
  /** Set when it is over already. */
  readonly result?: ToolResult
  /** Set when somebody will be asked about it. */
  readonly pending?: PendingCall
}

/**
 * Writes down what must outlive the page. What waits for a promise of it does not happen before that promise
 * resolves; a rejection keeps the call from starting.
 */
export interface CallJournal {
  /** Calls passed the gates, or go back to them for another yes: nobody was asked yet, and they do not run. */
  opened(calls: readonly OpenedCall[]): Promise<void>
  /** A call that changes something starts. */
  starting(callId: string): Promise<void>
  /** A call is over, or waits for an answer. */
  settled(result: ToolResult): Promise<void>
}
