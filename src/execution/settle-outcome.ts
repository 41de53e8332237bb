import type { CallOutcome, Preflight } from '../tool/call-outcome.ts'
import { dataToError } from '../tool/error-data.ts'
import { ToolResponse } from '../tool/tool-response.ts'
import type { Settlement } from '../tool/tool-result.ts'
import type { ExecutionScope } from './execution-scope.ts'
import type { PreparedCall } from './prepare-call.ts'
import { cancelled, failure, invalid } from './settle.ts'

/** How a call ended that was ready to run and needed nobody's yes. */
export type FinalOutcome = Exclude<CallOutcome, { readonly kind: 'approval' | 'deferred' | 'not-ready' }>

/** What can be wrong with a call before it runs; most of it also while it runs. */
type Refusal =
  | Exclude<Preflight, { readonly kind: 'ready' | 'fields' }>
  | Extract<CallOutcome, { readonly kind: 'crash' }>

/** The ending of a call that is not ready to run. */
export function notReady(name: string, refusal: Refusal, { texts }: ExecutionScope): Settlement {
  switch (refusal.kind) {
    case 'invalid':
      return invalid(name, refusal.issues, texts)
    case 'retry':
      return failure('invalid', refusal.message, 'model-retry')
    case 'failed':
      return failure('error', refusal.message, 'tool-failed')
    case 'crash': {
      const { error } = refusal
      const text =
        'mayHaveRun' in refusal && refusal.mayHaveRun
          ? texts.mayHaveRun(name, error.message)
          : texts.threw(name, `${error.name}: ${error.message}`)
      return { outcome: 'error', response: ToolResponse.error(text), error: dataToError(error) }
    }
    case 'timeout':
      return failure('timeout', sentences(texts.checkTimeout(name), refusal.stateLost && texts.stateLost))
  }
}

/** Turns what came back from the tool's realm into an ending with a text for the model. */
export function settleOutcome(call: PreparedCall, outcome: FinalOutcome, scope: ExecutionScope): Settlement {
  const { name } = call
  const { texts } = scope
  switch (outcome.kind) {
    case 'response': {
      const { response, empty } = outcome
      return {
        outcome: response.status,
        response: empty ? { ...response, text: texts.noOutput } : response,
      }
    }
    case 'stopped':
      return cancelled(name, outcome.mayHaveRun, texts)
    case 'retry':
      return { ...notReady(name, outcome, scope), outcome: 'error' }
    default:
      return notReady(name, outcome, scope)
  }
}

/** The ending of a call that its deadline or its run stopped, whatever the tool still said. */
export function settleStopped(
  call: PreparedCall,
  outcome: CallOutcome,
  by: 'deadline' | 'signal',
  ran: boolean,
  timeoutMs: number,
  { texts }: ExecutionScope,
): Settlement {
  const stop = outcome.kind === 'stopped' ? outcome : undefined
  const timedOut = by === 'deadline'
  const text = sentences(
    timedOut ? texts.timeout(call.name, timeoutMs) : texts.cancelled(call.name, stop?.mayHaveRun ?? ran),
    stop?.stateLost && texts.stateLost,
    stop?.stillRunning && texts.stillRunning,
  )
  return failure(timedOut ? 'timeout' : 'cancelled', text)
}

function sentences(...parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(' ')
}
