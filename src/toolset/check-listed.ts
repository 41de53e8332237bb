import { ToolRegistrationError } from '../tool/errors.ts'
import { toolNamePattern } from '../tool/tool-name.ts'
import { originOf, trustOf } from '../tool/tool-origin.ts'
import { byName } from './by-name.ts'
import type { ListedTool } from './listed-tool.ts'

/**
 * The tools that are offered in the end, by their name. Only here is a name's length checked: a wrapper may
 * lengthen what another shortens again.
 *
 * @throws {@link ToolRegistrationError} when two share a name, or no provider would take a name. One of a server is no
 * mistake of the app: {@link nameFault} says why it cannot be offered.
 */
export function checkListed(tools: readonly ListedTool[]): ReadonlyMap<string, ListedTool> {
  for (const tool of tools) {
    const fault = nameFault(tool)
    if (fault !== undefined && trustOf(originOf(tool)) >= trustOf('app'))
      throw new ToolRegistrationError(fault)
  }
  return byName(tools, 'Two tools of a source')
}

/** Why no model can be offered a tool of this name. */
export function nameFault({ definition: { name } }: ListedTool): string | undefined {
  if (toolNamePattern.test(name)) return undefined
  return (
    `No model takes the tool name "${name.slice(0, 80)}" (${name.length} characters): 1 to 64 letters, digits, ` +
    '"_" or "-" are possible. Shorten a prefix, or give the tool another name with renamed().'
  )
}
