import type { GrantDuration } from '../execution/decision.ts'
import type { JsonObject, ToolIssue } from '../tool/json-value.ts'
import type { PendingCall } from '../tool/pending-call.ts'
import type { CallAnswer } from './answers.ts'
import type { Message } from './message.ts'
import type { RunResult } from './run-result.ts'

/**
 * How a session stands. `paused`: its run waits for answers; with nothing in `pending` its page was closed in the
 * middle, and `resume()` goes on. `failed`: `error` says why.
 */
export type SessionStatus = 'idle' | 'running' | 'paused' | 'failed'

/** A call that is not over. */
export interface CallActivity {
  readonly callId: string
  readonly name: string
  /**
   * `writing`: the model is still writing it; `waiting`: it was read and has not started;
   * `waiting-for-approval`: a person is being asked; `running`: the tool has started.
   */
  readonly phase: 'writing' | 'waiting' | 'waiting-for-approval' | 'running'
  /** Absent while it is being written. */
  readonly input?: JsonObject
  /** What is written of its arguments so far: the beginning of a JSON text. Only while it is being written. */
  readonly inputText?: string
  /** The worker lane that runs it; absent on the page. */
  readonly lane?: string
  /** What the tool reported last. */
  readonly progress?: unknown
  /** When the tool started, in milliseconds since the epoch. */
  readonly startedAt?: number
}

/** A question that waits for an answer, whether its run has paused for it or waits in place. */
export interface OpenQuestion extends Omit<PendingCall, 'digest' | 'concurrencyKey'> {
  /** For how long a yes can be kept beside this once; empty when nothing keeps it. */
  readonly mayRemember: readonly GrantDuration[]
  /** Looks at a changed input as the gate will: what is wrong with it, an empty list when it may be sent. */
  check(input: JsonObject): Promise<readonly ToolIssue[]>
  /** Answers it; does nothing once it has its answer. Needs no `this`. */
  answer(answer: CallAnswer): void
}

/** A session at one moment. It never changes; what stays the same from one to the next is the same object. */
export interface SessionSnapshot {
  readonly status: SessionStatus
  /**
   * The conversation, with what is being said and done now. A call that is still being written has the input `{}`
   * here; one that is not over has no result. Pass it as `messages` to another session to go on later. The texts of
   * results are as the model reads them: for a person, draw `withoutFence(result.text)`.
   */
  readonly messages: readonly Message[]
  /** The calls that are not over and wait for nobody's answer from outside the run. */
  readonly activity: readonly CallActivity[]
  /** The questions that wait for an answer. */
  readonly pending: readonly OpenQuestion[]
  /** Why it failed, or with `paused` why an answer did not fit. */
  readonly error?: Error
  /** What the last run left, when it has ended or pauses. */
  readonly result?: RunResult
  /** The last run's id: what `restore()` finds the conversation by. */
  readonly runId?: string
}
