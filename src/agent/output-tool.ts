import type { StandardSchema } from '../tool/standard-schema.ts'
import { type Tool, tool } from '../tool/tool.ts'
import { ToolResponse } from '../tool/tool-response.ts'
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

/** The tool through which a final answer comes; what fits the schema is the `data` of its result. */
export function outputTool(schema: StandardSchema): Tool {
  const made = tool({
    name: outputToolName,
    description: 'Give the final answer. Call it once, when the work is done.',
    inputSchema: schema,
    parallelSafe: true,
    effect: 'none',
    execute: (data) => ToolResponse.ok('The final answer was given.', { data }),
  })
  return made as Tool
}

/** Whether a result is of the final answer. */
export function isOutput({ call }: ToolResult): boolean {
  return call.name === outputToolName
}
