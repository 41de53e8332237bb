import { ToolRegistrationError } from '../tool/errors.ts'
import { isTool, type Tool } from '../tool/tool.ts'
import { byName } from './by-name.ts'
import { joined } from './joined.ts'
import { localTools } from './local-tools.ts'
import { isToolSource, type ToolSource } from './tool-source.ts'
import { isToolkit, type Toolkit } from './toolkit.ts'

/** What the `tools` option of an agent or executor may hold. `Deps` is what its tools need to be given. */
export type ToolInput<Deps = unknown> = Tool<unknown, Deps, string, unknown> | Toolkit<Deps> | ToolSource

/**
 * Makes one source of a mixed list: tools and toolkits of this realm, and sources such as a worker pool.
 *
 * @throws {@link ToolRegistrationError} when an item is none of these, or two tools share a name.
 */
export function gather(items: readonly ToolInput<never>[], where: string): ToolSource {
  if (!Array.isArray(items)) {
    throw new ToolRegistrationError(`${where}: tools must be a list: tools: [ … ].`)
  }
  const local: Tool[] = []
  const hints = new Map<string, string>()
  const sources: ToolSource[] = []
  for (const [index, item] of (items as readonly ToolInput[]).entries()) {
    if (isTool(item)) local.push(item)
    else if (isToolSource(item)) sources.push(item)
    else if (isToolkit(item) && item.tools.every(isTool)) {
      local.push(...(item.tools as readonly Tool[]))
      for (const { name } of item.tools) hints.set(name, item.conflictHint)
    } else {
      throw new ToolRegistrationError(
        `${where}: tools[${index}] is not a tool, a Toolkit or a ToolSource. If it is the options of a tool, ` +
          'wrap it as tool({ … }); pass a ToolRegistry as toolRegistry, or as registry.toolset().',
      )
    }
  }
  const tools = byName(
    local,
    `${where}: two tools`,
    (name) => hints.get(name) ?? 'Rename one of them, or put one into a Toolkit with prefix: true.',
  )
  if (tools.size > 0 || sources.length === 0) {
    const listed = Object.freeze([...tools.values()])
    const own = localTools(
      (name) => tools.get(name),
      () => listed,
    )
    sources.unshift(own)
  }
  return sources.length === 1 ? (sources[0] as ToolSource) : joined(sources)
}
