import type { Agent } from './agent.ts'
import type { CallAnswer, CallAnswers } from './answers.ts'
import type { Message, UserMessage } from './message.ts'
import type { AgentEvent, RunResult } from './run-result.ts'
import { isGoingOn, RunStateError } from './run-state-error.ts'
import type { RunStore } from './run-store.ts'
import type { SendOptions, SessionOptions } from './session.ts'
import { streamedTypes } from './session-draft.ts'
import { SessionGiven } from './session-given.ts'
import { SessionQuestions } from './session-questions.ts'
import {
  asError,
  isMisfit,
  isRunError,
  leaveRun,
  type OpenRun,
  openRun,
  storedConversation,
} from './session-restore.ts'
import type { SessionSnapshot } from './session-snapshot.ts'
import { SessionTurns } from './session-turns.ts'
import type { SessionView } from './session-view.ts'

/** The runs of a session, one after the other, and what they make of its view. Nothing in here rejects. */
export class SessionRuns<Deps> {
  readonly #agent: Agent<Deps>
  readonly #view: SessionView
  readonly #questions: SessionQuestions<Deps>
  readonly #tell: (often: boolean) => void
  readonly #turns = new SessionTurns()
  readonly given: SessionGiven<Deps>
  /** The run that is not over and that nobody runs. */
  #open: OpenRun | undefined
  #going: Promise<SessionSnapshot> | undefined
  /** Counts calls of `stop`. */
  #stops = 0

  constructor(
    { agent, approvals, deps }: SessionOptions<Deps>,
    view: SessionView,
    tell: (often: boolean) => void,
  ) {
    this.#agent = agent
    this.given = new SessionGiven(deps)
    this.#view = view
    this.#tell = tell
    const answer = (callId: string, given: CallAnswer) => void this.answer({ [callId]: given })
    this.#questions = new SessionQuestions(agent, approvals, answer)
    view.questions = this.#questions.list()
  }

  send(message: UserMessage, { signal, deps }: SendOptions<Deps>): Promise<SessionSnapshot> {
    this.#checkFree('send()')
    if (deps !== undefined) this.given.deps = deps
    return this.#turn(signal, async (own) => {
      const messages = await this.#leave()
      this.#view.settle([...messages, message])
      this.#changed()
      const { role: _role, ...input } = message
      return this.#agent.stream(input, this.given.runOptions(messages, own))
    })
  }

  answer(answers: CallAnswers): Promise<SessionSnapshot> {
    const goesOn = this.#questions.take(answers)
    this.#changed()
    return goesOn ? this.#goOn() : this.#settled()
  }

  resume(): Promise<SessionSnapshot> {
    if (this.#going !== undefined || this.#turns.isTaken) return this.#settled()
    if (this.#open !== undefined) return this.#goOn()
    throw new RunStateError('session.resume(): there is no run to go on with. Call send().', 'finished')
  }

  async stop(): Promise<SessionSnapshot> {
    this.#stops += 1
    const stops = this.#stops
    this.#questions.dropAnswers()
    await this.#turns.stop(new DOMException('session.stop() was called', 'AbortError'))
    // The run may have paused in that moment.
    const isLeft = this.#open !== undefined && !this.#turns.isTaken && stops === this.#stops
    if (!isLeft) return this.#view.read()
    return this.#turn(undefined, async () => {
      this.#view.settle(await this.#leave())
      return []
    })
  }

  restore(store: RunStore, runId?: string): Promise<SessionSnapshot> {
    this.#checkFree('restore()')
    this.given.clearTaint = undefined
    return this.#turn(undefined, async () => {
      const found = await storedConversation(this.#agent, store, runId)
      if (found === undefined) return []
      this.given.restored(found)
      this.#view.restore(found)
      this.#wait(found.open)
      return []
    })
  }

  clearTaint(reason: string): void {
    this.#checkFree('clearTaint()')
    this.given.clearTaint = reason
  }

  #checkFree(what: string): void {
    if (this.#going === undefined && this.#turns.isFree) return
    throw isGoingOn(`session.${what}`)
  }

  #turn(
    outer: AbortSignal | undefined,
    open: (signal: AbortSignal) => Promise<AsyncIterable<AgentEvent> | readonly AgentEvent[]>,
  ): Promise<SessionSnapshot> {
    if (!this.#turns.isTaken) this.#begin()
    const turn = this.#turns.take(outer, async (signal) => {
      this.#begin()
      const unfollow = this.#questions.follow(() => this.#changed())
      try {
        for await (const event of await open(signal)) this.#take(event)
      } catch (error) {
        await this.#failed(error)
      }
      unfollow()
      if (this.#view.status === 'running') this.#view.status = 'idle'
      this.#changed()
    })
    return turn.then(() => this.#view.read())
  }

  #begin(): void {
    const view = this.#view
    view.status = 'running'
    view.error = undefined
    view.result = undefined
    this.#changed()
  }

  /** Goes on with the open run, once what runs now is over. Answers that are given meanwhile go with it. */
  #goOn(): Promise<SessionSnapshot> {
    const goOn = async () => {
      const stops = this.#stops
      // At least until all answers of one go are there.
      await this.#turns.ended()
      this.#going = undefined
      const open = this.#open
      if (open === undefined || stops !== this.#stops) return this.#view.read()
      this.#open = undefined
      const answers = this.#questions.takeAnswers()
      return this.#turn(undefined, async (signal) => this.#resumed(open, answers, signal))
    }
    this.#going ??= goOn()
    this.#view.status = 'running'
    this.#changed()
    return this.#going
  }

  async *#resumed(open: OpenRun, answers: CallAnswers, signal: AbortSignal): AsyncGenerator<AgentEvent> {
    try {
      yield* this.#agent.resumeStream(open.state, answers, this.given.options(signal))
    } catch (error) {
      if (!isMisfit(error)) throw error
      // Nothing has run: the person's slip costs no more than to answer again.
      this.#wait(open)
      this.#view.error = error
    }
  }

  #take(event: AgentEvent): void {
    const view = this.#view
    view.runId = event.runId
    if (event.type === 'run-start') this.given.clearTaint = undefined
    if (event.type === 'paused' || event.type === 'done') this.#ended(event.result)
    else if (event.type === 'step-end') {
      view.settle([...view.settled, ...event.messages])
    } else {
      if (event.type === 'approval-requested') this.#questions.mine(event.callId)
      if (!view.draft.take(event)) return
    }
    this.#changed(streamedTypes.includes(event.type))
  }

  #ended(result: RunResult): void {
    const view = this.#view
    view.result = result
    const { state, pending, messages } = result
    if (state !== undefined) {
      view.draft.rest()
      this.#wait({ state, pending, messages })
      return
    }
    view.settle(messages)
    view.status = 'idle'
    this.#questions.wait([], undefined)
  }

  async #failed(error: unknown): Promise<void> {
    const view = this.#view
    this.#questions.wait([], undefined)
    if (!isRunError(error)) {
      // What was said stays to be seen; the next run completes what lacks its results.
      view.settle([...view.settled, ...view.draft.messages])
      this.#fail(error)
      return
    }
    const { runId, messages } = error.result
    view.settle(messages)
    view.result = error.result
    if (error.name === 'AbortError') return
    // In a store it can be resumed where it stood.
    const left = await openRun(this.#agent, runId).catch(() => undefined)
    if (left !== undefined) this.#wait({ ...left, messages })
    this.#fail(error)
  }

  #fail(error: unknown): void {
    this.#view.status = 'failed'
    this.#view.error = asError(error)
  }

  #wait(open: OpenRun | undefined): void {
    this.#open = open
    this.#questions.wait(open?.pending ?? [], this.given.deps)
    if (open !== undefined) this.#view.status = 'paused'
  }

  /** The conversation for who goes on without the open run, which ends with that. */
  async #leave(): Promise<readonly Message[]> {
    const open = this.#open
    this.#open = undefined
    this.#questions.wait([], undefined)
    const { settled, draft } = this.#view
    return open === undefined ? [...settled, ...draft.messages] : leaveRun(this.#agent, open, this.given.deps)
  }

  async #settled(): Promise<SessionSnapshot> {
    await (this.#going ?? this.#turns.ended())
    return this.#view.read()
  }

  #changed(often = false): void {
    this.#view.questions = this.#questions.list()
    this.#view.changed()
    this.#tell(often)
  }
}
