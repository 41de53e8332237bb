import type { CallOutcome } from './call-outcome.ts'
import { errorToData } from './error-data.ts'
import { copyJsonObject, firstIssue } from './json-value.ts'

/** What a tool's `execute` or `check` says by throwing. */
export type ThrownOutcome = Extract<
  CallOutcome,
  { kind: 'retry' | 'failed' | 'approval' | 'deferred' | 'crash' }
>

/** Reads what a tool threw. By name, not instanceof: it may be built with another copy of the library. */
export function thrownOutcome(thrown: unknown): ThrownOutcome {
  const error = errorToData(thrown)
  const { name, message } = error
  if (name === 'ModelRetry') return { kind: 'retry', message }
  if (name === 'ToolFailed') return { kind: 'failed', message }
  if (name === 'ApprovalRequired') return { kind: 'approval', reason: message }
  if (name === 'CallDeferred') return deferredOutcome((thrown as { readonly metadata?: unknown }).metadata)
  return { kind: 'crash', error }
}

// What is kept until then must outlive the page.
function deferredOutcome(metadata: unknown): ThrownOutcome {
  if (metadata === undefined) return { kind: 'deferred' }
  const { value, issues } = copyJsonObject(metadata)
  if (issues === undefined) return { kind: 'deferred', metadata: value }
  return {
    kind: 'crash',
    error: { name: 'ToolError', message: `CallDeferred: metadata must be JSON: ${firstIssue(issues)}` },
  }
}
