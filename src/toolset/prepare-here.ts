import type { StepContext } from '../tool/step-context.ts'
import type { Tool } from '../tool/tool.ts'
import { originOf, stampOrigin } from '../tool/tool-origin.ts'
import type { ListedTool } from './listed-tool.ts'
import { prepareTool } from './prepare-definition.ts'

/** A tool of this realm as it is in one step. */
export interface PreparedTool {
  readonly tool: Tool
  readonly prepared: Tool
  readonly listed: ListedTool
}

/** The tools as their own `prepare` functions have them in one step; without those that are hidden. */
export async function prepareHere(
  tools: readonly Tool[],
  listedTools: readonly ListedTool[],
  context: StepContext,
): Promise<readonly PreparedTool[]> {
  const all = await Promise.all(
    tools.map(async (tool, index): Promise<readonly PreparedTool[]> => {
      const own = listedTools[index]
      const { prepare } = tool['~internals'].options
      const listed = own && prepare ? await prepareTool(own, prepare, context, 'prepare') : own
      return listed === undefined ? [] : [{ tool, listed, prepared: redefined(tool, listed) }]
    }),
  )
  return all.flat()
}

/** The same tool with another definition: what it keeps and what it does stay its own. */
function redefined(tool: Tool, { definition }: ListedTool): Tool {
  if (definition === tool.definition) return tool
  const prepared: Tool = Object.create(tool, {
    definition: { value: definition },
    execute: { value: tool.execute.bind(tool) },
  })
  return stampOrigin(prepared, originOf(tool))
}
