import { now } from '../tool/clock.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { originOf } from '../tool/tool-origin.ts'
import type { ListedTool, ToolSource } from './tool-source.ts'

/**
 * Several sources as one. Children are listed at the same time and keep their order; a call goes to the
 * child that listed the name.
 *
 * @throws {@link ToolRegistrationError} from `list`, naming both origins, when two children offer one name.
 */
export function combined(sources: readonly ToolSource[]): ToolSource {
  let routes = new Map<string, ToolSource>()
  const list = async (): Promise<readonly ListedTool[]> => {
    const lists = await Promise.all(sources.map((source) => source.list()))
    const found = new Map<string, { source: ToolSource; tool: ListedTool }>()
    for (const [index, tools] of lists.entries()) {
      for (const tool of tools) {
        const source = sources[index] as ToolSource
        const earlier = found.get(tool.definition.name)
        if (earlier !== undefined) throw clash(earlier.tool, tool)
        found.set(tool.definition.name, { source, tool })
      }
    }
    routes = new Map(Array.from(found, ([name, { source }]) => [name, source]))
    return Array.from(found.values(), ({ tool }) => tool)
  }
  const route = async (name: string): Promise<ToolSource | undefined> => {
    if (!routes.has(name)) await list()
    return routes.get(name)
  }
  return {
    list,
    reportsStart: true,
    preflight: async (name, input, options) => {
      const source = await route(name)
      return source === undefined ? gone(name) : source.preflight(name, input, options)
    },
    call: async (name, input, options) => {
      const source = await route(name)
      if (source === undefined) return gone(name)
      // This source promises to report the start; a child that does not has started by being called.
      if (source.reportsStart) return source.call(name, input, options)
      const { onStart, ...rest } = options ?? {}
      onStart?.({ at: now() })
      return source.call(name, input, rest)
    },
    subscribe: (listener) => {
      const stops = sources.map((source) => source.subscribe?.(listener))
      return () => {
        for (const stop of stops) stop?.()
      }
    },
    close: async () => {
      await Promise.all(sources.map((source) => source.close?.()))
    },
  }
}

function clash(first: ListedTool, second: ListedTool): ToolRegistrationError {
  const { name } = second.definition
  return new ToolRegistrationError(
    `Two tools are named "${name}" (origins "${originOf(first)}" and "${originOf(second)}"). ` +
      'Rename one of them, or put one into a Toolkit with prefix: true.',
  )
}

function gone(name: string): { readonly kind: 'failed'; readonly message: string } {
  return { kind: 'failed', message: `The tool "${name}" is gone.` }
}
