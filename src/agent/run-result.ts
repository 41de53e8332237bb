import type { ExecutionEvent } from '../execution/execution-event.ts'
import type { PendingCall } from '../tool/pending-call.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import type { SourceNote } from '../toolset/tool-source.ts'
import type { Message } from './message.ts'
import type { Usage } from './model-adapter.ts'
import type { RunState } from './run-state.ts'

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
  /** Ids of answers given to `resume` that came too late: the calls had theirs. */
  readonly alreadyAnswered?: readonly string[]
}

interface StepEventFields {
  readonly runId: string
  readonly step: number
  /** Milliseconds since the epoch, with fractions. */
  readonly at: number
}

/** What happens in a run, as it happens. */
export type AgentEvent =
  | (StepEventFields & {
      readonly type: 'step-start'
      /** What the model is offered. */
      readonly tools: readonly string[]
      /** What it is not offered and why, sources that failed, and names on lists that no tool has now. */
      readonly notes: readonly SourceNote[]
    })
  | (StepEventFields & { readonly type: 'text-delta'; readonly text: string })
  | (ExecutionEvent & StepEventFields)
  | (StepEventFields & { readonly type: 'step-end'; readonly results: readonly ToolResult[] })
  /** The last event of a run whose calls wait for answers. */
  | (StepEventFields & { readonly type: 'paused'; readonly result: RunResult })
  | (StepEventFields & { readonly type: 'done'; readonly result: RunResult })
