import { ToolRegistrationError } from '../tool/errors.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import { isStringList } from '../tool/value-kinds.ts'

/** Which tools a ready-made middleware is for: their names as the model sees them, or a function that says so. */
export type ForTools = readonly string[] | ((definition: ToolDefinition) => boolean)

/** Throws a {@link ToolRegistrationError} for what chooses no tools. */
export function checkForTools(tools: unknown, where: string): void {
  if (isStringList(tools) || typeof tools === 'function') return
  throw new ToolRegistrationError(
    `${where}, tools: expected a list of tool names, or a function of a tool's definition.`,
  )
}

/** Whether a tool is among them. */
export function isFor(tools: ForTools, definition: ToolDefinition): boolean {
  return typeof tools === 'function' ? tools(definition) : tools.includes(definition.name)
}
