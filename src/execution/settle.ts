import { ToolError, type ToolErrorCode } from '../tool/errors.ts'
import type { ToolIssue } from '../tool/json-value.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import { ToolResponse } from '../tool/tool-response.ts'
import type { CallEnding, Settlement } from './tool-result.ts'

/** The ending of a call that did not succeed: one text for the model, one error with a code for the program. */
export function failure(
  outcome: CallEnding,
  code: ToolErrorCode,
  text: string,
  issues?: readonly ToolIssue[],
): Settlement {
  const error = new ToolError(text, issues === undefined ? { code } : { code, issues })
  return { outcome, response: ToolResponse.error(text), error }
}

/** The ending of a call whose run was given up. */
export function cancelled(name: string, mayHaveRun: boolean, texts: ModelTexts): Settlement {
  return failure('cancelled', 'cancelled', texts.cancelled(name, mayHaveRun))
}

/** Whether a value is an ending. */
export function isSettlement(value: object): value is Settlement {
  return 'outcome' in value && 'response' in value
}
