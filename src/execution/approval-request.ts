import { defined } from '../tool/defined.ts'
import type { PendingCall } from '../tool/pending-call.ts'
import type { ApprovalRequest } from './approval.ts'

/**
 * The question of a paused run as a `confirm` handler takes it.
 *
 * @throws Error for a call that is answered elsewhere: no person can say what its output is.
 */
export function approvalRequest(
  pending: PendingCall,
  { mayRemember, check, signal }: Pick<ApprovalRequest, 'mayRemember' | 'check' | 'signal'>,
): ApprovalRequest {
  const { kind, digest: _digest, metadata: _metadata, concurrencyKey: _key, ...question } = pending
  const { callId, toolName } = question
  if (kind === 'external') {
    throw new Error(
      `approvalRequest(): the call "${callId}" of ${toolName} is answered elsewhere. Give resume() its { output }.`,
    )
  }
  return Object.freeze(
    defined({
      ...question,
      ...{ check, signal },
      mayRemember: kind === 'fields' || question.boundTo !== undefined ? [] : mayRemember,
    }),
  )
}
