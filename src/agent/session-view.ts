import { defined } from '../tool/defined.ts'
import type { Message } from './message.ts'
import type { RunResult } from './run-result.ts'
import { SessionDraft } from './session-draft.ts'
import type { StoredConversation } from './session-restore.ts'
import type { OpenQuestion, SessionSnapshot, SessionStatus } from './session-snapshot.ts'

/** What a session shows, in pieces; the snapshot of it is made when somebody looks. */
export class SessionView {
  status: SessionStatus = 'idle'
  /** The conversation before the draft. */
  settled: readonly Message[]
  draft: SessionDraft = new SessionDraft()
  questions: readonly OpenQuestion[] = []
  error: Error | undefined
  result: RunResult | undefined
  runId: string | undefined
  #snapshot: SessionSnapshot | undefined
  /** What `messages` of the last snapshot were put together from. */
  #from: readonly [settled: readonly Message[], drafted: readonly Message[]] = [[], []]
  #messages: readonly Message[] = []

  constructor(settled: readonly Message[]) {
    this.settled = settled
  }

  /** The conversation is this, and nothing is under way. */
  settle(messages: readonly Message[]): void {
    this.settled = messages.map((message, index) => sameAs(this.settled[index], message) ?? message)
    this.draft = new SessionDraft()
  }

  /** Shows what a store has. */
  restore({ messages, draft, runId, error }: StoredConversation): void {
    this.settle(messages)
    this.draft = draft
    this.runId = runId
    this.error = error
    this.status = error === undefined ? 'idle' : 'failed'
  }

  read(): SessionSnapshot {
    this.#snapshot ??= this.#take()
    return this.#snapshot
  }

  /** Something has changed since. */
  changed(): void {
    this.#snapshot = undefined
  }

  #take(): SessionSnapshot {
    const { status, settled, draft, questions: pending, error, result, runId } = this
    const drafted = draft.messages
    if (this.#from[0] !== settled || this.#from[1] !== drafted) {
      this.#from = [settled, drafted]
      this.#messages = drafted.length === 0 ? settled : [...settled, ...drafted]
    }
    const messages = this.#messages
    const { activity } = draft
    return Object.freeze(defined({ status, messages, activity, pending, error, result, runId }))
  }
}

// A run makes the messages with results anew; whoever renders a long conversation knows them by identity.
function sameAs(known: Message | undefined, message: Message): Message | undefined {
  if (known === message) return known
  if (known?.role !== 'tool' || message.role !== 'tool' || known.results.length !== message.results.length)
    return
  const isSame = known.results.every(({ callId, text, outcome, parts, taint }, index) => {
    const other = message.results[index]
    return (
      other?.callId === callId &&
      other.text === text &&
      other.outcome === outcome &&
      other.parts === parts &&
      other.taint?.untrusted === taint?.untrusted &&
      other.taint?.private === taint?.private
    )
  })
  return isSame ? known : undefined
}
