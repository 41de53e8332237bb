import type { ApprovalRequest, ConfirmHandler } from '../execution/approval.ts'
import type { ApprovalDecision } from '../execution/decision.ts'
import { onAbort } from '../tool/abort.ts'
import type { CallAnswer } from './answers.ts'
import { SessionListeners } from './session-listeners.ts'
import { questionOf } from './session-question.ts'
import type { OpenQuestion } from './session-snapshot.ts'

interface Waiting {
  readonly question: OpenQuestion
  settle(decision: ApprovalDecision): void
}

/**
 * Keeps the questions of agents until some part of the page shows and answers them, instead of `confirmDialog()`:
 * whatever shows them may come and go. The run waits in place; for questions that outlive the page, use
 * `confirm: 'pause'` instead. A store, as an `AgentSession` is one.
 *
 * It does not see how an answer was given. Let nothing but a click or a key of the person call `answer`.
 *
 * @example
 * const approvals = new ApprovalQueue()
 * const agent = new Agent({ model, tools, confirm: approvals.confirm })
 * const session = new AgentSession({ agent, approvals })
 */
export class ApprovalQueue {
  readonly #waiting = new Map<string, Waiting>()
  readonly #listeners = new SessionListeners<readonly OpenQuestion[]>(() => this.getSnapshot())
  #snapshot: readonly OpenQuestion[] = []

  /** The `confirm` handler of an agent, an executor or a single call. */
  readonly confirm: ConfirmHandler = (request) => this.#ask(request)

  /** The questions that wait, in the order in which they were asked; the same list while nothing changed. */
  getSnapshot(): readonly OpenQuestion[] {
    return this.#snapshot
  }

  /** Calls the listener with the questions now and after each change. Returns the way to stop that. */
  subscribe(listener: (questions: readonly OpenQuestion[]) => void): () => void {
    return this.#listeners.subscribe(listener)
  }

  /** Answers a question. The first answer counts: one for a call that no question waits about does nothing. */
  answer(callId: string, answer: CallAnswer): void {
    this.#waiting.get(callId)?.settle(decisionOf(answer))
  }

  #ask(request: ApprovalRequest): Promise<ApprovalDecision> {
    const { callId, signal } = request
    const withdrawn: ApprovalDecision = { approved: false, unanswered: 'withdrawn' }
    if (signal.aborted) return Promise.resolve(withdrawn)
    return new Promise((resolve) => {
      const settle = (decision: ApprovalDecision) => {
        release()
        this.#waiting.delete(callId)
        this.#changed()
        resolve(decision)
      }
      // After that the gate no longer listens, and nobody is to see the question.
      const release = onAbort(signal, () => settle(withdrawn))
      const question = questionOf(request, (answer) => this.answer(callId, answer))
      this.#waiting.set(callId, { question, settle })
      this.#changed()
    })
  }

  #changed(): void {
    this.#snapshot = Array.from(this.#waiting.values(), ({ question }) => question)
    this.#listeners.changed(false)
  }
}

// What else is wrong with it the gate says, and refuses.
function decisionOf(answer: CallAnswer): ApprovalDecision {
  if (typeof answer === 'boolean' || 'approved' in answer) return answer
  return 'fields' in answer ? { approved: true, fields: answer.fields } : { approved: false, ...answer }
}
