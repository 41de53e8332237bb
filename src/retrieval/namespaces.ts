import { once } from '../tool/once.ts'
import { originOf } from '../tool/tool-origin.ts'
import type { ToolInput } from '../toolset/gather.ts'
import { isAccepted, type ListedTool, rootOf } from '../toolset/listed-tool.ts'
import { isToolkit } from '../toolset/toolkit.ts'

/** Gives the short name of the server or toolkit that a tool is of. */
export type NamespaceOf = (tool: ListedTool) => string | undefined

/** Reads which tools of a list are of which toolkit; those of a server say so themselves. */
export function namespacesIn(items: readonly ToolInput<never>[]): NamespaceOf {
  const kits = new Map<object, string>()
  for (const item of items as readonly ToolInput[]) {
    if (isToolkit(item)) for (const tool of item.tools) kits.set(tool, item.name)
  }
  return (tool) => {
    const server = /^(?:web)?mcp:(.+)$/s.exec(originOf(tool))?.[1]
    return server ?? kits.get(rootOf(tool) ?? tool)
  }
}

/** What of the tools of one server or toolkit is told. */
export interface NamespaceSummary {
  /** Absent for the tools that are of none. */
  readonly name?: string
  readonly tools: number
  /** The names of some; of none that nobody has accepted, as a name is words, too. */
  readonly some: readonly string[]
}

const maxSome = 3

/** What there is, by server and toolkit, in the order in which they were listed; the tools that are of none stand last. */
export function summarise(
  tools: readonly ListedTool[],
  namespaceOf: NamespaceOf,
): readonly NamespaceSummary[] {
  const groups = new Map<string | undefined, ListedTool[]>()
  for (const tool of tools) {
    const namespace = namespaceOf(tool)
    const group = groups.get(namespace) ?? []
    groups.set(namespace, group)
    group.push(tool)
  }
  const named = [...groups].filter(([name]) => name !== undefined)
  const others = groups.get(undefined) ?? []
  const all = others.length === 0 ? named : [...named, [undefined, others] as const]
  return all.map(([name, group]) => ({
    ...(name === undefined ? {} : { name }),
    tools: group.length,
    some: namesToTell(group),
  }))
}

function namesToTell(group: readonly ListedTool[]): readonly string[] {
  const names: string[] = []
  for (const tool of group) {
    if (names.length === maxSome) break
    if (isAccepted(tool)) names.push(tool.definition.name)
  }
  return names
}

/** The names of tools as a set; made once for a list. */
export const namesOf: (tools: readonly ListedTool[]) => ReadonlySet<string> = once(
  (tools) => new Set(tools.map(({ definition }) => definition.name)),
)
