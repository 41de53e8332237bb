import type { RunTools, StepTools } from '../execution/run-tools.ts'
import { throwLater } from '../tool/throw-later.ts'

/**
 * Closes the tools of a run or a step. Of a source that cannot be closed the run still has its ending; the error
 * reaches the app's error handling.
 */
export async function closeTools(tools: RunTools | StepTools): Promise<void> {
  try {
    await tools.close?.()
  } catch (error) {
    throwLater(error)
  }
}
