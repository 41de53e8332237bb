import type { PendingCall } from '../tool/pending-call.ts'
import { sameItems } from '../toolset/same-items.ts'
import type { Agent } from './agent.ts'
import type { CallAnswer, CallAnswers } from './answers.ts'
import { RunStateError } from './run-state-error.ts'
import type { ApprovalQueue } from './session-approvals.ts'
import { pendingQuestion } from './session-question.ts'
import type { OpenQuestion } from './session-snapshot.ts'

/** What waits for an answer in a session: calls of a run that has paused, and questions of one that waits in place. */
export class SessionQuestions<Deps> {
  readonly #agent: Agent<Deps>
  readonly #approvals: ApprovalQueue | undefined
  readonly #answer: (callId: string, answer: CallAnswer) => void
  /** The calls that somebody is or was asked about. */
  readonly #asked = new Set<string>()
  #paused: readonly OpenQuestion[] = []
  /** Answers that no run has taken yet. */
  #answers: Record<string, CallAnswer> = {}
  #list: readonly OpenQuestion[] = []

  constructor(
    agent: Agent<Deps>,
    approvals: ApprovalQueue | undefined,
    answer: (callId: string, answer: CallAnswer) => void,
  ) {
    this.#agent = agent
    this.#approvals = approvals
    this.#answer = answer
  }

  /** These calls of a paused run wait. One whose answer was given meanwhile does not. */
  wait(pending: readonly PendingCall[], deps: Deps | undefined): void {
    for (const { callId } of pending) this.#asked.add(callId)
    const kept = pending.flatMap(({ callId }) => {
      const answer = this.#answers[callId]
      return answer === undefined ? [] : [[callId, answer] as const]
    })
    this.#answers = Object.fromEntries(kept)
    this.#paused = pending.map((call) =>
      pendingQuestion(this.#agent, call, deps, (answer) => this.#answer(call.callId, answer)),
    )
  }

  /** A question of the queue is about a call of this session. */
  mine(callId: string): void {
    this.#asked.add(callId)
  }

  /** Calls `listener` when the questions of the queue change; returns the way to stop that. */
  follow(listener: () => void): () => void {
    return this.#approvals?.subscribe(listener) ?? (() => {})
  }

  /** All that wait, the same list while nothing changed. */
  list(): readonly OpenQuestion[] {
    const asked = this.#approvals?.getSnapshot().filter(({ callId }) => this.#asked.has(callId)) ?? []
    const paused = this.#paused.filter(({ callId }) => !(callId in this.#answers))
    const all = [...paused, ...asked]
    if (!sameItems(all, this.#list)) this.#list = all
    return this.#list
  }

  /**
   * Takes answers; whether a paused run can go on with one of them.
   *
   * @throws {@link RunStateError} `unknown-call` for an id that was never asked about. Nothing is taken then.
   */
  take(answers: CallAnswers): boolean {
    const open = this.list()
    const unknown = Object.keys(answers).find((id) => !this.#asked.has(id))
    if (unknown !== undefined) throw unknownCall(unknown, open)
    const paused = Object.entries(answers).filter(([id]) => this.#isPaused(id) && !(id in this.#answers))
    for (const [id, answer] of paused) this.#answers[id] = answer
    for (const [id, answer] of Object.entries(answers)) this.#approvals?.answer(id, answer)
    return paused.length > 0
  }

  /** The answers that were given since, for the run to go on with. */
  takeAnswers(): CallAnswers {
    const answers = this.#answers
    this.#paused = this.#paused.filter(({ callId }) => !(callId in answers))
    this.#answers = {}
    return answers
  }

  dropAnswers(): void {
    this.#answers = {}
  }

  #isPaused(id: string): boolean {
    return this.#paused.some(({ callId }) => callId === id)
  }
}

function unknownCall(id: string, open: readonly OpenQuestion[]): RunStateError {
  const names = open.map(({ callId, toolName }) => `"${callId}" (${toolName})`).join(', ') || 'none'
  return new RunStateError(
    `session.answer(): no call with the id "${id}" waits for an answer in this session. Those that do: ${names}. Nothing was run.`,
    'unknown-call',
  )
}
