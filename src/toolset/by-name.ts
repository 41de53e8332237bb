import { ToolRegistrationError } from '../tool/errors.ts'
import { originOf } from '../tool/tool-origin.ts'

const usualWay = 'Rename one of them, or wrap one source as prefixed(source, "…").'

/**
 * Tools by their name, in their order.
 *
 * @param two - How a message about two of them starts.
 * @param wayOut - What to do about two of that name, when the caller knows better than to rename.
 * @throws {@link ToolRegistrationError} when two have one name, naming both origins.
 */
export function byName<Named extends { readonly definition: { readonly name: string } }>(
  tools: Iterable<Named>,
  two: string,
  wayOut?: (name: string) => string | undefined,
): Map<string, Named> {
  const found = new Map<string, Named>()
  for (const tool of tools) {
    const { name } = tool.definition
    const earlier = found.get(name)
    if (earlier !== undefined) {
      throw new ToolRegistrationError(
        `${two} are named "${name}" (origins "${originOf(earlier)}" and "${originOf(tool)}"). ` +
          (wayOut?.(name) ?? usualWay),
      )
    }
    found.set(name, tool)
  }
  return found
}
