import { ToolRegistrationError } from '../tool/errors.ts'
import { isTool, type Tool } from '../tool/tool.ts'
import { combined } from './combined.ts'
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
    throw new ToolRegistrationError(`${where}: tools must be a list, for example tools: [getWeather].`)
  }
  const local = new Map<string, Tool>()
  const sources: ToolSource[] = []
  for (const [index, item] of (items as readonly ToolInput[]).entries()) {
    if (isTool(item)) add(local, item, where)
    else if (isToolSource(item)) sources.push(item)
    else if (isToolkit(item) && item.tools.every(isTool)) {
      for (const tool of item.tools) add(local, tool as Tool, where)
    } else throw notTools(index, item, where)
  }
  const own = localTools(
    (name) => local.get(name),
    () => local.values(),
  )
  if (sources.length === 0) return own
  if (local.size > 0) return combined([own, ...sources])
  const [only] = sources
  return only !== undefined && sources.length === 1 ? only : combined(sources)
}

function add(local: Map<string, Tool>, tool: Tool, where: string): void {
  if (local.has(tool.name)) {
    throw new ToolRegistrationError(
      `${where}: two tools are named "${tool.name}". Rename one of them, or put one into a Toolkit with prefix: true.`,
    )
  }
  local.set(tool.name, tool)
}

function notTools(index: number, item: unknown, where: string): ToolRegistrationError {
  const looksLikeOptions = typeof item === 'object' && item !== null && 'execute' in item
  const hint = looksLikeOptions
    ? 'It looks like the options of a tool: wrap it as tool({ … }).'
    : 'Expected a tool, a Toolkit or a ToolSource such as a WorkerToolset; a ToolRegistry goes in as registry.toolset(), or into the option toolRegistry of an Agent.'
  return new ToolRegistrationError(`${where}: tools[${index}] is not a tool. ${hint}`)
}
