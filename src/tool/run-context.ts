import type { ToolChange } from './tool-change.ts'
import type { ToolOrigin } from './tool-origin.ts'

/** What a tool is told about the call it serves. */
export interface RunContext<Deps = unknown> {
  /** Unique for each call, over all runs. */
  readonly callId: string
  /** The name under which the tool's own source offers it; wrappers on the page may show the model another. */
  readonly toolName: string
  readonly origin: ToolOrigin
  /** The agent run that the call belongs to; absent outside any run. */
  readonly runId?: string
  /** The step of that run, counted from 1. */
  readonly step?: number
  /** Which try of this tool in the run it is, counted from 1: it grows with each step in which the tool failed. */
  readonly attempt: number
  /** How often the model may try again after a failure. */
  readonly maxRetries: number
  /** Aborts at the deadline and when the run is cancelled. Pass it to `fetch` and check it in loops. */
  readonly signal: AbortSignal
  /** On the page: the agent's `deps` as they are. In a worker: what the `deps` option of `WorkerToolset` picks. */
  readonly deps: Deps
  /** Set when a person approved this very call. */
  readonly approval?: ToolApproval
  /** Reports progress; the value must be cloneable. Events arrive in order and before the result. */
  progress(value: unknown): void
  /** Writes a log line for the developer; the data must be cloneable. No model reads it. */
  log(message: string, data?: unknown): void
}

/** A person's yes. */
export interface ToolApproval {
  readonly approved: true
  /** What the person wrote, if anything. */
  readonly reason?: string
  /** What of the tool had changed, as the person was shown it: the yes is to that change and no other. */
  readonly change?: ToolChange
  /** Set when nobody was asked now: the person had said for how long the yes holds. */
  readonly remembered?: 'session' | 'always'
  /** What exactly the yes is to, when the tool has asked with `boundTo`: it may do that and nothing else. */
  readonly boundTo?: string
}
