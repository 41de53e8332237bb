import { ToolRegistrationError } from '../tool/errors.ts'
import { originOf } from '../tool/tool-origin.ts'

/**
 * Tools by their name, in their order.
 *
 * @param two - How a message about two of them starts.
 * @throws {@link ToolRegistrationError} when two have one name, naming both origins.
 */
export function byName<Named extends { readonly definition: { readonly name: string } }>(
  tools: Iterable<Named>,
  two: string,
): Map<string, Named> {
  const found = new Map<string, Named>()
  for (const tool of tools) {
    const { name } = tool.definition
    const earlier = found.get(name)
    if (earlier !== undefined) {
      throw new ToolRegistrationError(
        `${two} are named "${name}". Rename one of them, or put one into a Toolkit with prefix: true ` +
          `(origins "${originOf(earlier)}" and "${originOf(tool)}").`,
      )
    }
    found.set(name, tool)
  }
  return found
}
