import { errorToData } from '../tool/error-data.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { RunError } from './run-error.ts'
import type { RunRecord } from './run-record.ts'
import { RunStateError } from './run-state-error.ts'

/** What a run rejects with. */
export function asRunError(error: unknown, record: RunRecord): unknown {
  const known = error instanceof RunError || error instanceof RunStateError
  if (known || error instanceof ToolRegistrationError) return error
  const message = `Step ${record.step} failed: ${errorToData(error).message}`
  return new RunError(message, record.result('stopped', 'answer'), { aborted: false, cause: error })
}
