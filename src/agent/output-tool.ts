import type { ToolResult } from '../tool/tool-result.ts'

/** What a step with a final answer does with the other calls of its message. */
export type EndStrategy =
  /** The answer counts first: the other calls do not run. */
  | 'early'
  /** The other calls run too; one that asks for another try keeps the run going. */
  | 'graceful'
  /** The same, and a second answer that is not valid keeps the run going too. */
  | 'exhaustive'

/** The name of the tool through which a final answer comes. */
export const outputToolName = 'final_answer'

/** Whether a result is of the final answer. */
export function isOutput({ call }: ToolResult): boolean {
  return call.name === outputToolName
}
