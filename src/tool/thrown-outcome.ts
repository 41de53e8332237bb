import type { CallOutcome } from './call-outcome.ts'
import { errorToData } from './error-data.ts'
import { copyJsonObject, firstIssue } from './json-value.ts'
import { isStringList } from './value-kinds.ts'

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
  if (name === 'ApprovalRequired') {
    const { boundTo, reasons } = thrown as { readonly boundTo?: unknown; readonly reasons?: unknown }
    const asked = {
      kind: 'approval',
      reason: message,
      ...(typeof boundTo === 'string' && { boundTo }),
      ...(isStringList(reasons) && { reasons }),
    } as const
    return withJson(asked, 'change', thrown)
  }
  if (name === 'CallDeferred') return withJson({ kind: 'deferred' }, 'metadata', thrown)
  return { kind: 'crash', error }
}

// What is kept until the answer must outlive the page.
function withJson(outcome: ThrownOutcome, key: 'change' | 'metadata', thrown: unknown): ThrownOutcome {
  const { [key]: given, name } = thrown as { readonly [Key in typeof key | 'name']?: unknown }
  if (given === undefined) return outcome
  const { value, issues } = copyJsonObject(given)
  if (issues === undefined) return { ...outcome, [key]: value }
  return {
    kind: 'crash',
    error: { name: 'ToolError', message: `${name}: ${key} must be JSON: ${firstIssue(issues)}` },
  }
}
