import type { StandardSchema } from '../tool/standard-schema.ts'
import { type Tool, tool } from '../tool/tool.ts'
import { ToolResponse } from '../tool/tool-response.ts'
import { outputToolName } from './output-tool.ts'

/**
 * The `output` of an agent: its run ends with an answer that fits this schema, an object, which comes through a tool
 * named `final_answer`. A function of its own, so that an app without it, whose tools are in a worker, ships no schema
 * library.
 *
 * @throws {@link ToolRegistrationError} for a schema that cannot be expressed.
 * @example new Agent({ model, tools, output: finalAnswer(v.object({ total: v.number() })) })
 */
export function finalAnswer(schema: StandardSchema): Tool {
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
