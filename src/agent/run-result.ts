import type { ExecutionEvent } from '../execution/execution-event.ts'
import type { ToolResult } from '../execution/tool-result.ts'
import type { Message } from './message.ts'
import type { Usage } from './model-adapter.ts'

/** Why a run ended. */
export type FinishReason =
  | 'answer'
  | 'max-steps'
  | 'tool-limit'
  | 'deadline'
  | 'unknown-tools'
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
  /** `done`: the model gave an answer by itself; `stopped`: a limit ended the run. */
  readonly status: 'done' | 'stopped'
  /** The text of the last model message. */
  readonly finalOutput: string
  readonly finishReason: FinishReason
  /** The whole conversation, given messages included; pass it on to continue. */
  readonly messages: readonly Message[]
  readonly steps: readonly RunStep[]
  readonly usage: Usage
}

interface StepEventFields {
  readonly runId: string
  readonly step: number
  /** Milliseconds since the epoch, with fractions. */
  readonly at: number
}

/** What happens in a run, as it happens. */
export type AgentEvent =
  | (StepEventFields & { readonly type: 'step-start'; readonly tools: readonly string[] })
  | (StepEventFields & { readonly type: 'text-delta'; readonly text: string })
  | (ExecutionEvent & StepEventFields)
  | (StepEventFields & { readonly type: 'step-end'; readonly results: readonly ToolResult[] })
  | (StepEventFields & { readonly type: 'done'; readonly result: RunResult })
