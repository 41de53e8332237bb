import { defined } from '../tool/defined.ts'
import type { PendingCall } from '../tool/pending-call.ts'
import type { ApprovalRequest } from './approval.ts'

/**
 * The question of a paused run as a `confirm` handler takes it, so that `confirmDialog()` can put it to the person
 * later. Its answer goes into `agent.resume()` under the call's id. An input that the person changes is checked
 * only there: the tool may not be on this page now.
 *
 * @param signal - Withdraws the question.
 * @throws Error for a call that is answered elsewhere: no person can say what its output is.
 * @example
 * const answer = await confirmDialog()(approvalRequest(pending))
 * await agent.resume(state, { [pending.callId]: answer })
 */
export function approvalRequest(pending: PendingCall, signal?: AbortSignal): ApprovalRequest {
  const { callId, kind, toolName, origin, description, input, reasons, inputSchema, userFields } = pending
  if (kind === 'external') {
    throw new Error(
      `approvalRequest(): the call "${callId}" of ${toolName} is answered elsewhere. Give agent.resume() its { output }.`,
    )
  }
  return Object.freeze(
    defined({
      ...{ callId, toolName, origin, description, input, reasons, inputSchema, userFields },
      mayRemember: [],
      check: async () => [],
      signal: signal ?? new AbortController().signal,
    }),
  )
}
