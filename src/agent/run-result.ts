import type { ExecutionEvent } from '../execution/execution-event.ts'
import type { Taint } from '../execution/taint.ts'
import type { PendingCall } from '../tool/pending-call.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import type { SourceNote } from '../toolset/tool-source.ts'
import type { FilePart, Message } from './message.ts'
import type { Usage } from './model-adapter.ts'
import type { RunState } from './run-state.ts'
import type { PickedTool } from './tool-picker.ts'

/** Why a run ended. */
export type FinishReason =
  /** The model gave an answer. */
  | 'answer'
  /** The model gave a final answer that fits the agent's `output` schema. */
  | 'output'
  /** Calls wait for answers. */
  | 'paused'
  | 'max-steps'
  | 'tool-limit'
  | 'max-tokens'
  | 'deadline'
  | 'stop-when'
  /** The model only named tools that do not exist, step after step. */
  | 'unknown-tools'
  /** A tool failed too often (with `onExhausted: 'throw'`), or no answer fitted the `output` schema. */
  | 'exhausted'
  | 'length'
  | 'content-filter'

/** One model request and the calls it asked for. */
export interface RunStep {
  /** Counted from 1. */
  readonly number: number
  readonly text: string
  readonly results: readonly ToolResult[]
}

/** How a run ended and what it left. */
export interface RunResult {
  readonly runId: string
  /** `done`: the model gave an answer by itself; `paused`: calls wait for answers; `stopped`: a limit ended the run. */
  readonly status: 'done' | 'paused' | 'stopped'
  /** The text of the last model message. */
  readonly finalOutput: string
  /** The final answer as the agent's `output` schema made it. */
  readonly output?: unknown
  readonly finishReason: FinishReason
  /** The whole conversation, given messages included; pass it on to continue. */
  readonly messages: readonly Message[]
  /** The steps that ended in this run, or since it was resumed. */
  readonly steps: readonly RunStep[]
  readonly usage: Usage
  /** The calls that wait for an answer, all of them; empty unless the run is paused. */
  readonly pending: readonly PendingCall[]
  /** What `agent.resume()` takes, plain JSON; only of a paused run. */
  readonly state?: RunState
  /** What was read that makes calls suspect; absent when nothing was. `messages` carry it on. */
  readonly taint?: Taint
  /** Ids of answers given to `resume` that came too late: the calls had theirs. */
  readonly alreadyAnswered?: readonly string[]
}

interface StepEventFields {
  readonly runId: string
  readonly step: number
  /** Milliseconds since the epoch, with fractions. */
  readonly at: number
}

/**
 * What happens in a run, as it happens: enough to show the run from it alone. A run has one `run-start` and, last of
 * all, one of `paused`, `done` and `failed`. The messages of its `run-start` and `step-end` events, behind those that
 * it was given, are the conversation.
 */
export type AgentEvent =
  | (StepEventFields & {
      readonly type: 'run-start'
      /** The agent. */
      readonly agent: string
      /** What the person says, behind the given conversation; nothing when the run goes on from a saved state. */
      readonly messages: readonly Message[]
      readonly resumed: boolean
    })
  /** The app has vouched for what the run or its conversation had read, which is `taint`. */
  | (StepEventFields & { readonly type: 'taint-cleared'; readonly reason: string; readonly taint: Taint })
  /** The model is asked, or the calls of a step that was left open go on. */
  | (StepEventFields & {
      readonly type: 'step-start'
      /** What the model is offered. */
      readonly tools: readonly string[]
      /** What it is not offered and why, sources that failed, and names on lists that no tool has now. */
      readonly notes: readonly SourceNote[]
      /** Why it is offered these, one for each of `tools`; absent where all that may be offered are. */
      readonly picked?: readonly PickedTool[]
    })
  /** The next piece of the text. Never empty. */
  | (StepEventFields & { readonly type: 'text-delta'; readonly text: string })
  /** The next piece of what the model thinks, as far as its provider shows it. Never empty. */
  | (StepEventFields & { readonly type: 'reasoning-delta'; readonly text: string })
  /**
   * The next piece of a call's input as the model writes it, JSON text that is not checked. The events about the call
   * have the same `callId`; none follow when the message breaks off before the call is whole.
   */
  | (StepEventFields & {
      readonly type: 'call-input-delta'
      readonly callId: string
      readonly name: string
      readonly text: string
    })
  /** An image or a file that the model made. */
  | (StepEventFields & { readonly type: 'file'; readonly file: FilePart })
  | (ExecutionEvent & StepEventFields)
  /** The calls of the step are over, or there were none. Of a step that waits for answers, it comes when it has them. */
  | (StepEventFields & {
      readonly type: 'step-end'
      /** One for each call, in call order. */
      readonly results: readonly ToolResult[]
      /** What the step added to the conversation. */
      readonly messages: readonly Message[]
      /** What the run has used so far. */
      readonly usage: Usage
    })
  /** The last event of a run whose calls wait for answers. */
  | (StepEventFields & { readonly type: 'paused'; readonly result: RunResult })
  | (StepEventFields & { readonly type: 'done'; readonly result: RunResult })
  /** The last event of a run that failed or was aborted: what the run rejects with. */
  | (StepEventFields & { readonly type: 'failed'; readonly error: unknown })
