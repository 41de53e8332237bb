import type { ApprovalRequest } from '../execution/approval.ts'
import { defined } from '../tool/defined.ts'
import type { PendingCall } from '../tool/pending-call.ts'
import type { Agent } from './agent.ts'
import type { CallAnswer } from './answers.ts'
import type { OpenQuestion } from './session-snapshot.ts'

/** A request as a question: what a page shows, and how it answers. */
export function questionOf(request: ApprovalRequest, answer: (answer: CallAnswer) => void): OpenQuestion {
  const { callId, toolName, origin, description, input, reasons, policy, change } = request
  const { boundTo, inputSchema, userFields } = request
  const kind = userFields === undefined ? ('approval' as const) : ('fields' as const)
  const { mayRemember } = request
  return Object.freeze(
    defined({
      ...{
        callId,
        kind,
        toolName,
        origin,
        description,
        input,
        reasons,
        policy,
        change,
        boundTo,
        inputSchema,
        userFields,
        mayRemember,
      },
      check: (changed: OpenQuestion['input']) => request.check(changed),
      answer,
    }),
  )
}

/** The question of a paused run. One that is answered elsewhere can be checked by nobody here. */
export function pendingQuestion<Deps>(
  agent: Agent<Deps>,
  pending: PendingCall,
  deps: Deps | undefined,
  answer: (answer: CallAnswer) => void,
): OpenQuestion {
  const { digest: _digest, concurrencyKey: _key, ...shown } = pending
  if (pending.kind === 'external') {
    return Object.freeze({ ...shown, mayRemember: [], check: async () => [], answer })
  }
  const { mayRemember, check } = agent.approvalRequest(pending, defined({ deps }))
  return Object.freeze({ ...shown, mayRemember, check, answer })
}
