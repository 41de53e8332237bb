import type { CallOutcome } from './call-outcome.ts'
import { errorToData } from './error-data.ts'

/** What a tool's `execute` or `check` says by throwing. */
export type ThrownOutcome = Extract<CallOutcome, { kind: 'retry' | 'failed' | 'approval' | 'crash' }>

/** Reads what a tool threw. By name, not instanceof: it may be built with another copy of the library. */
export function thrownOutcome(thrown: unknown): ThrownOutcome {
  const error = errorToData(thrown)
  const { name, message } = error
  if (name === 'ModelRetry') return { kind: 'retry', message }
  if (name === 'ToolFailed') return { kind: 'failed', message }
  if (name === 'ApprovalRequired') return { kind: 'approval', reason: message }
  return { kind: 'crash', error }
}
