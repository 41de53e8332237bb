import { defined } from '../tool/defined.ts'
import { errorToData } from '../tool/error-data.ts'
import { ToolError, type ToolErrorCode } from '../tool/errors.ts'
import type { ToolIssue } from '../tool/json-value.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import { ToolResponse } from '../tool/tool-response.ts'
import type { CallEnding, Settlement } from '../tool/tool-result.ts'

/**
 * The ending of a call that did not succeed: one text for the model, one error with a code for the program.
 * The code is the ending itself where that says it all.
 */
export function failure(
  outcome: CallEnding,
  text: string,
  code: ToolErrorCode = outcome,
  issues?: readonly ToolIssue[],
): Settlement {
  return {
    outcome,
    response: ToolResponse.error(text),
    error: new ToolError(text, defined({ code, issues })),
  }
}

/** The ending of a call whose input is wrong. */
export function invalid(name: string, issues: readonly ToolIssue[], texts: ModelTexts): Settlement {
  return failure('invalid', texts.invalidInput(name, issues), 'invalid-input', issues)
}

/** The ending of a call whose run was given up. */
export function cancelled(name: string, mayHaveRun: boolean, texts: ModelTexts): Settlement {
  return failure('cancelled', texts.cancelled(name, mayHaveRun))
}

/** The ending of a call after an error that no stage knows: one call's surprise must not cost its siblings theirs. */
export function unexpected(name: string, error: unknown): Settlement {
  return failure('error', `${name}: ${errorToData(error).message}`, 'tool-threw')
}

/** Whether a value is an ending. */
export function isSettlement(value: object): value is Settlement {
  return 'outcome' in value && 'response' in value
}
