import { now } from '../tool/clock.ts'
import { byName } from './by-name.ts'
import { gone, type ListedTool, type ToolSource } from './tool-source.ts'

/**
 * Several sources as one. Children are listed at the same time and keep their order; a call goes to the
 * child that listed the name.
 *
 * @throws {@link ToolRegistrationError} from `list`, naming both origins, when two children offer one name.
 */
export function combined(sources: readonly ToolSource[]): ToolSource {
  let routes: ReadonlyMap<string, ToolSource> = new Map()
  const list = async (): Promise<readonly ListedTool[]> => {
    const lists = await Promise.all(sources.map((source) => source.list()))
    const tools = byName(lists.flat(), 'Two tools')
    routes = new Map(
      sources.flatMap((source, index) =>
        (lists[index] ?? []).map(({ definition }): [string, ToolSource] => [definition.name, source]),
      ),
    )
    return [...tools.values()]
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
