import type { CallOutcome } from '../tool/call-outcome.ts'
import { dataToError } from '../tool/error-data.ts'
import { canonicalJson } from '../tool/json-value.ts'
import { ToolResponse } from '../tool/tool-response.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { endingOf } from './middleware.ts'
import type { PreparedCall } from './prepare-call.ts'
import { cancelled, failure } from './settle.ts'
import type { Settlement } from './tool-result.ts'

/** How a call ended that was ready to run and needed nobody's yes. */
export type FinalOutcome = Exclude<CallOutcome, { readonly kind: 'approval' | 'not-ready' }>

/** Turns what came back from the tool's realm into an ending with a text for the model. */
export function settleOutcome(call: PreparedCall, outcome: FinalOutcome, scope: ExecutionScope): Settlement {
  const { texts } = scope
  switch (outcome.kind) {
    case 'response': {
      const response = outcome.empty ? { ...outcome.response, text: texts.noOutput } : outcome.response
      const ending = { outcome: endingOf(response), response }
      return call.edited ? { ...ending, response: tellEdit(response, call, scope) } : ending
    }
    case 'invalid':
      return failure(
        'invalid',
        'invalid-input',
        texts.invalidInput(call.name, outcome.issues),
        outcome.issues,
      )
    case 'retry':
      return failure('error', 'model-retry', texts.retry(outcome.message))
    case 'failed':
      return failure('error', 'tool-failed', outcome.message)
    case 'stopped':
      return cancelled(call.name, outcome.mayHaveRun, texts)
    case 'crash': {
      const { error, mayHaveRun } = outcome
      const text = mayHaveRun
        ? texts.mayHaveRun(call.name, error.message)
        : texts.threw(call.name, `${error.name}: ${error.message}`)
      return { outcome: 'error', response: ToolResponse.error(text), error: dataToError(error) }
    }
  }
}

function tellEdit(response: ToolResponse, call: PreparedCall, scope: ExecutionScope): ToolResponse {
  return { ...response, text: `${response.text}\n${scope.texts.inputEdited(canonicalJson(call.input))}` }
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
  const text =
    by === 'deadline'
      ? texts.timeout(call.name, timeoutMs)
      : texts.cancelled(call.name, stop?.mayHaveRun ?? ran)
  const more = [stop?.stateLost ? texts.stateLost : '', stop?.stillRunning ? texts.stillRunning : '']
  const whole = [text, ...more].filter((part) => part !== '').join(' ')
  return by === 'deadline' ? failure('timeout', 'timeout', whole) : failure('cancelled', 'cancelled', whole)
}
