import { checkOptions } from '../tool/check-options.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { copyJson, firstIssue } from '../tool/json-value.ts'
import type { Agent, ResumeOptions } from './agent.ts'
import type { CallAnswer, CallAnswers } from './answers.ts'
import type { Message, UserInput } from './message.ts'
import type { RunStore } from './run-store.ts'
import type { ApprovalQueue } from './session-approvals.ts'
import { SessionListeners } from './session-listeners.ts'
import { SessionRuns } from './session-runs.ts'
import type { SessionSnapshot } from './session-snapshot.ts'
import { SessionView } from './session-view.ts'

/** What a session is made of. */
export interface SessionOptions<Deps = unknown> {
  readonly agent: Agent<Deps>
  /** The conversation so far, for example `messages` of a snapshot that the app has kept. Copied. */
  readonly messages?: readonly Message[]
  /** Where the agent's `confirm` handler comes from: the questions of this session's runs are in `pending`. */
  readonly approvals?: ApprovalQueue
  /** For each run. @default the agent's */
  readonly deps?: Deps
}

/** What differs from message to message. */
export type SendOptions<Deps = unknown> = Omit<ResumeOptions<Deps>, 'clearTaint'>

/**
 * A conversation with an agent, as a store that a page can show: what is said, which calls run, what waits for an
 * answer. It is a Svelte store as it is, and what `useAgentSession` of `./react` follows. The runs of a session go one
 * after the other: an older one never overwrites a newer one.
 *
 * No method rejects because a run failed: `status` and `error` of the snapshot say so. Only a mistake in the call
 * throws, at once.
 *
 * @throws {@link ToolRegistrationError} from the constructor for options that cannot work.
 * @example
 * const session = new AgentSession({ agent })
 * session.subscribe(({ messages, activity, pending }) => render(messages, activity, pending))
 * await session.send('Tidy up my notes')
 */
export class AgentSession<Deps = unknown> {
  readonly agent: Agent<Deps>
  readonly #view: SessionView
  readonly #initial: SessionSnapshot
  readonly #listeners: SessionListeners<SessionSnapshot>
  readonly #runs: SessionRuns<Deps>

  constructor(options: SessionOptions<Deps>) {
    const where = 'new AgentSession()'
    checkOptions(options, ['agent', 'messages', 'approvals', 'deps'], where)
    const { agent, messages = [] } = options
    if (typeof agent?.stream !== 'function') {
      throw new ToolRegistrationError(`${where}: there is no agent. Pass { agent: new Agent({ … }) }.`)
    }
    this.agent = agent
    this.#view = new SessionView(copyMessages(messages, where))
    this.#listeners = new SessionListeners(() => this.#view.read())
    this.#runs = new SessionRuns(options, this.#view, (often) => this.#listeners.changed(often))
    this.#initial = this.#view.read()
  }

  /** The session now. The same object as long as nothing changed. */
  getSnapshot(): SessionSnapshot {
    return this.#view.read()
  }

  /** The session as it was made: what a server has rendered, whatever happened since. */
  getServerSnapshot(): SessionSnapshot {
    return this.#initial
  }

  /**
   * Calls the listener with the snapshot now and after changes, and returns the way to stop that: the contract of
   * Svelte's stores. Many changes in a row are one call; what comes in a stream makes at most one in 16 ms.
   */
  subscribe(listener: (snapshot: SessionSnapshot) => void): () => void {
    return this.#listeners.subscribe(listener)
  }

  /**
   * Says something to the agent; resolves when the run has ended or pauses. Calls that wait for an answer are left
   * undone, and the model reads that nobody answered. After `stop()` it waits until that run is over.
   *
   * @throws {@link RunStateError} `in-use` at once while a run is going on: what is said in the middle of it the model
   * would answer without having read what it is doing. Call `stop()` first, or keep the text until the run is over.
   */
  send(input: UserInput, options: SendOptions<Deps> = {}): Promise<SessionSnapshot> {
    checkOptions(options, ['signal', 'deps'], 'session.send()')
    return this.#runs.send(
      { role: 'user', ...(typeof input === 'string' ? { text: input } : input) },
      options,
    )
  }

  /**
   * Answers one question, or several, of `pending`. The run goes on with what has its answer; the rest waits on.
   * Resolves when it has ended or pauses again. The first answer counts: one to a question that has its own does
   * nothing. One that does not fit leaves all questions open, and `error` says what is wrong with it.
   *
   * @throws {@link RunStateError} `unknown-call` at once for an id that was never asked about.
   */
  answer(callId: string, answer: CallAnswer): Promise<SessionSnapshot>
  answer(answers: CallAnswers): Promise<SessionSnapshot>
  answer(first: string | CallAnswers, answer?: CallAnswer): Promise<SessionSnapshot> {
    return this.#runs.answer(typeof first === 'string' ? { [first]: answer as CallAnswer } : first)
  }

  /**
   * Goes on with a run whose page was closed, or that failed and is in the agent's store. Questions without an answer
   * wait on.
   *
   * @throws {@link RunStateError} `finished` at once when there is none.
   */
  resume(): Promise<SessionSnapshot> {
    return this.#runs.resume()
  }

  /**
   * Vouches for all that the conversation has read so far, for example after the person has looked at it: from the
   * next run on, or when the paused one goes on, calls are judged as if it had come from the app. What is read later
   * counts anew.
   *
   * @param reason - Told with the event `taint-cleared` of that run.
   * @throws {@link RunStateError} `in-use` at once while a run is going on.
   */
  clearTaint(reason: string): void {
    this.#runs.clearTaint(reason)
  }

  /**
   * Ends the run, or leaves the one that is paused: its open calls are cancelled, and the conversation can go on.
   * Resolves when it is over.
   */
  stop(): Promise<SessionSnapshot> {
    return this.#runs.stop()
  }

  /**
   * Ends a conversation with which nobody will go on: stops its run, and deletes its results that were too long to be
   * shown whole. Without it those are kept for seven days at most, so that also a session that restores the
   * conversation can read them; no other one can. Never rejects; the messages stay to be seen.
   */
  async close(): Promise<void> {
    await this.stop()
    await this.#runs.given.forget(this.agent)
  }

  /**
   * Shows what a store has, for example after a reload: the conversation of a run, or of the agent's run that was
   * saved last; nothing changes when there is none. A run that is not over is then `paused`: its questions are in
   * `pending`, and nothing runs before they are answered or `resume()` is called. One that is running elsewhere is
   * shown as it was saved last, with `failed`.
   *
   * A store has runs and no conversations: each run holds the whole conversation up to it. Where an agent has more
   * than one, keep `runId` of the snapshot and pass it.
   *
   * @param store - The agent's own.
   * @throws {@link RunStateError} `in-use` at once while a run is going on.
   */
  restore(store: RunStore, runId?: string): Promise<SessionSnapshot> {
    return this.#runs.restore(store, runId)
  }
}

function copyMessages(messages: unknown, where: string): readonly Message[] {
  if (!Array.isArray(messages)) throw new ToolRegistrationError(`${where}: messages must be a list.`)
  // A copy of its own: given ones may be a Proxy of the app's state, which no store takes.
  const { value, issues } = copyJson(messages)
  if (issues === undefined) return value as unknown as readonly Message[]
  throw new ToolRegistrationError(
    `${where}: messages must be JSON, as a run returned them: ${firstIssue(issues)}.`,
  )
}
