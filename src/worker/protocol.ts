import type { CallOutcome, Preflight } from '../tool/call-outcome.ts'
import type { ErrorData } from '../tool/error-data.ts'
import type { ToolApproval } from '../tool/run-context.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import type { LogEntry } from '../toolset/tool-source.ts'

/** Marks our messages on a port that Comlink uses too, and says which edition of this file wrote them. */
export const protocolVersion = 1

/** A tool in the manifest that a worker sends when it is ready. */
export interface ManifestEntry {
  readonly definition: ToolDefinition
  readonly fingerprint: string
  /** Set when the worker's tools may differ from step to step: then it is asked for each. */
  readonly perStep?: true
}

/** The definitions of one step; a tool that is missing is not offered in it. */
export interface StepList {
  readonly kind: 'listed'
  readonly definitions: readonly ToolDefinition[]
}

/** What is sent with a call; all of it can be cloned. */
export interface WireCallOptions {
  /** Unique for each message: a call that runs again elsewhere is another job. */
  readonly jobId: string
  /** Milliseconds since the epoch, with fractions. */
  readonly sentAt: number
  readonly callId: string
  readonly runId?: string
  readonly step?: number
  readonly deps?: unknown
  readonly graceMs?: number
  readonly approval?: ToolApproval
  readonly attempt?: number
  readonly maxRetries?: number
  readonly filledByPerson?: boolean
}

/** What a worker exposes over Comlink, and all of it. None of them rejects. */
export interface WorkerFace {
  preflight(name: string, input: unknown, options: WireCallOptions): Promise<Preflight>
  call(name: string, input: unknown, options: WireCallOptions): Promise<CallOutcome>
  /** Both in one message: what is not ready to run comes back as `not-ready`. */
  checkedCall(name: string, input: unknown, options: WireCallOptions): Promise<CallOutcome>
  /** Lists the tools for one step. `name` is empty, `input` what the model is capable of. */
  listStep(name: string, capabilities: unknown, options: WireCallOptions): Promise<StepList | Crash>
}

/** Something was thrown that is no outcome of a call. */
export interface Crash {
  readonly kind: 'crash'
  readonly error: ErrorData
}

/**
 * Messages from a worker. They travel on the worker's own port, so that progress arrives in order and
 * before the result. The page exposes nothing to the worker.
 */
export type WorkerMessage =
  | {
      readonly offstage: typeof protocolVersion
      readonly type: 'ready'
      readonly tools: readonly ManifestEntry[]
    }
  | { readonly offstage: typeof protocolVersion; readonly type: 'load-failed'; readonly error: ErrorData }
  /** The tool starts. A preflight has no such message: it starts no tool. */
  | {
      readonly offstage: typeof protocolVersion
      readonly type: 'started'
      readonly jobId: string
      readonly at: number
    }
  | {
      readonly offstage: typeof protocolVersion
      readonly type: 'progress'
      readonly jobId: string
      readonly value: unknown
    }
  | {
      readonly offstage: typeof protocolVersion
      readonly type: 'log'
      readonly jobId: string
      readonly entry: LogEntry
    }

/** The one message to a worker that is not a Comlink call. */
export interface AbortMessage {
  readonly offstage: typeof protocolVersion
  readonly type: 'abort'
  readonly jobId: string
  /** `TimeoutError` or `AbortError`: the name of the reason that the tool's signal gets. */
  readonly reason: string
  readonly message: string
}

/** Whether a message on the port is one of ours. */
export function isOurMessage(data: unknown): data is WorkerMessage | AbortMessage {
  return (
    typeof data === 'object' && data !== null && (data as { offstage?: unknown }).offstage === protocolVersion
  )
}
