import { ToolRegistrationError } from '../tool/errors.ts'
import { toolNamePattern } from '../tool/tool-name.ts'
import { byName } from './by-name.ts'
import type { ListedTool } from './listed-tool.ts'

/**
 * The tools that are offered in the end, by their name. Only here is a name's length checked: a wrapper may
 * lengthen what another shortens again.
 *
 * @throws {@link ToolRegistrationError} when two share a name, or no provider would take a name.
 */
export function checkListed(tools: readonly ListedTool[]): ReadonlyMap<string, ListedTool> {
  for (const { definition } of tools) {
    const { name } = definition
    if (toolNamePattern.test(name)) continue
    throw new ToolRegistrationError(
      `No model takes the tool name "${name.slice(0, 80)}" (${name.length} characters): 1 to 64 letters, digits, ` +
        '"_" or "-" are possible. Shorten a prefix, or give the tool another name with renamed().',
    )
  }
  return byName(tools, 'Two tools of a source')
}
