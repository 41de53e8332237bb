import {
  type Agent,
  type ApprovalDecision,
  type CallAnswers,
  confirmDialog,
  type PendingCall,
  RunStateError,
  type RunStore,
} from 'offstage'
import { forgetBookings } from './bookings.ts'
import { wish } from './script.ts'
import { readTrip, type Trip } from './trip.ts'

/** Where the desk tells what happens. */
export interface DeskView {
  /** The trip as it is now, and whether this page works on it. */
  show(trip: Trip | undefined, working: boolean): void
  say(text: string): void
}

/** What the desk works with. */
export interface DeskOptions {
  readonly agent: Agent
  readonly store: RunStore
  readonly view: DeskView
  readonly leaving: AbortSignal
}

/** Where one trip is planned, by all tabs of the browser together. */
export class TripDesk {
  readonly #options: DeskOptions
  readonly #otherTabs = new BroadcastChannel('offstage-demo-trip')
  /** The questions that are open in this tab, by call id. */
  readonly #asking = new Map<string, AbortController>()
  #trip: Trip | undefined
  #working = false
  /** What came of the last work, beside what can be seen. */
  #said = ''
  #looks = 0

  constructor(options: DeskOptions) {
    this.#options = options
    const { leaving } = options
    const look = () => void this.look()
    this.#otherTabs.addEventListener('message', look, { signal: leaving })
    // No message reaches a page that the browser has frozen.
    document.addEventListener('visibilitychange', look, { signal: leaving })
    leaving.addEventListener('abort', () => this.#otherTabs.close())
  }

  /** Starts a trip; there is one at a time. */
  start(): Promise<void> {
    const { agent, leaving } = this.#options
    return this.#work('The agent works.', async () => {
      await agent.run(wish, { signal: leaving })
    })
  }

  /** Goes on with a run whose page was closed. */
  goOn(): Promise<void> {
    return this.#work('The agent works.', () => this.#resume({}))
  }

  /** Asks the person, all questions at once, and goes on with the answers. */
  answer(questions: readonly PendingCall[]): Promise<void> {
    return this.#work('A question is open.', async () => {
      const given = await Promise.all(questions.map((question) => this.#ask(question)))
      const answers = given.filter((answer) => answer !== undefined)
      if (answers.length === 0) this.#said = 'No answer was given here.'
      else await this.#resume(Object.fromEntries(answers))
    })
  }

  /** Forgets the trip and all that was booked. */
  startOver(): Promise<void> {
    const { store } = this.#options
    return this.#work('', async () => {
      for (const { runId } of await store.list()) await store.delete(runId)
      forgetBookings()
    })
  }

  /** Looks how the trip stands. */
  async look(): Promise<void> {
    const { agent, store, view, leaving } = this.#options
    this.#looks += 1
    const looks = this.#looks
    try {
      const trip = await readTrip(agent, store)
      // A later look sees more.
      if (leaving.aborted || looks !== this.#looks) return
      this.#trip = trip
    } catch (error) {
      view.say(wordsFor(error))
      return
    }
    const waiting = this.#trip?.questions.map(({ callId }) => callId) ?? []
    // What another tab has answered is no longer asked here.
    for (const [callId, question] of this.#asking) if (!waiting.includes(callId)) question.abort()
    view.show(this.#trip, this.#working)
    if (!this.#working) view.say([this.#said, stageWords(this.#trip)].filter(Boolean).join(' '))
  }

  async #work(doing: string, work: () => Promise<void>): Promise<void> {
    const { view, leaving } = this.#options
    if (this.#working) return
    this.#working = true
    this.#said = ''
    view.show(this.#trip, true)
    view.say(doing)
    try {
      await work()
    } catch (error) {
      this.#said = wordsFor(error)
    }
    this.#working = false
    if (leaving.aborted) return
    await this.look()
    this.#otherTabs.postMessage('changed')
  }

  async #resume(answers: CallAnswers): Promise<void> {
    const { agent, leaving } = this.#options
    if (this.#trip !== undefined) await agent.resume(this.#trip.state, answers, { signal: leaving })
  }

  async #ask(question: PendingCall): Promise<readonly [callId: string, ApprovalDecision] | undefined> {
    const { callId } = question
    const answered = new AbortController()
    const signal = AbortSignal.any([this.#options.leaving, answered.signal])
    this.#asking.set(callId, answered)
    try {
      const answer = await confirmDialog()(this.#options.agent.approvalRequest(question, { signal }))
      // No answer is no denial: the question waits on.
      const isNone = typeof answer === 'object' && answer.unanswered !== undefined
      return isNone ? undefined : [callId, answer]
    } finally {
      this.#asking.delete(callId)
    }
  }
}

function stageWords(trip: Trip | undefined): string {
  if (trip === undefined) return 'Nothing is planned yet.'
  const count = trip.questions.length
  switch (trip.stage) {
    case 'waiting':
      return count === 1 ? 'The trip waits for one answer.' : `The trip waits for ${count} answers.`
    case 'broken-off':
      return 'The trip is not finished: go on where the agent stopped.'
    case 'running':
      return 'The agent works on the trip in another tab.'
    case 'done':
      return 'The trip is planned.'
    case 'stopped':
      return 'The run was stopped.'
  }
}

function wordsFor(error: unknown): string {
  const code = error instanceof RunStateError ? error.code : undefined
  if (code === 'in-use') return 'Another tab works on this trip just now; your answer was not used.'
  if (code === 'stale' || code === 'finished' || code === 'unknown-call') {
    return 'Another tab has gone on with this trip, so your answer was not used. This is how it stands now.'
  }
  return error instanceof Error ? error.message : String(error)
}
