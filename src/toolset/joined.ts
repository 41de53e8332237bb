import type { CallOutcome } from '../tool/call-outcome.ts'
import { now } from '../tool/clock.ts'
import { deepFreeze } from '../tool/json-value.ts'
import type { StepContext } from '../tool/step-context.ts'
import { lastRead } from './last-read.ts'
import type { ListedTool } from './listed-tool.ts'
import { routed } from './routed.ts'
import { sameItems } from './same-items.ts'
import { settleNames } from './settle-names.ts'
import { closeAll, closeMade, sourceForRun, sourceForStep } from './source-instance.ts'
import type { SourceCallOptions, SourceNote, ToolSource } from './tool-source.ts'

/** A tool as the joined source shows it. */
type Show = (tool: ListedTool) => ListedTool

/** Several sources as one: `combined()` without its options, which most apps have no use for. */
export function joined(sources: readonly ToolSource[], show: Show = (tool) => tool): ToolSource {
  return join(sources, show, () => closeAll(sources.map((source) => source.close?.())))
}

interface Joined {
  readonly listed: readonly ListedTool[]
  readonly routes: ReadonlyMap<string, ToolSource>
  readonly notes: readonly SourceNote[]
}

function join(sources: readonly ToolSource[], show: Show, close: () => Promise<void>): ToolSource {
  const lists = lastRead(lister(sources, show))
  const route = (name: string) => async () => (await lists.last()).routes.get(name)
  const instance = (make: typeof sourceForRun) => async (context: StepContext) => {
    const made = await makeAll(sources, (source) => make(source, context))
    if (made.every((each, index) => each === sources[index])) return undefined
    return join(made, show, () => closeEach(made, sources))
  }
  const self: ToolSource = {
    reportsStart: true,
    get dynamic() {
      return sources.some((source) => source.dynamic)
    },
    list: async () => (await lists.read()).listed,
    preflight: (name, input, options) =>
      routed(name, route(name), (source) => source.preflight(name, input, options)),
    call: (name, input, options) =>
      routed(name, route(name), (source) => callWithStart(source, name, input, options)),
    notes: () => [...sources.flatMap((source) => source.notes?.() ?? []), ...(lists.peek()?.notes ?? [])],
    subscribe: (listener) => {
      const stops = sources.map((source) => source.subscribe?.(listener))
      return () => {
        for (const stop of stops) stop?.()
      }
    },
    forRun: instance(sourceForRun),
    forStep: instance(sourceForStep),
    close,
  }
  return self
}

async function callWithStart(
  source: ToolSource,
  name: string,
  input: unknown,
  options: SourceCallOptions = {},
): Promise<CallOutcome> {
  // A joined source promises to report the start; a child that does not has started by being called.
  if (source.reportsStart) return source.call(name, input, options)
  const { onStart, ...rest } = options
  if (options.signal?.aborted) return { kind: 'stopped', mayHaveRun: false }
  onStart?.({ at: now() })
  return source.call(name, input, rest)
}

/** Lists all sources. While each gives the list that it gave before, and it cannot change, what came of it stays. */
function lister(sources: readonly ToolSource[], show: Show): () => Promise<Joined> {
  let last: { readonly lists: Lists; readonly joined: Joined } | undefined
  return async () => {
    const lists = await Promise.all(sources.map(async (source) => source.list()))
    if (last === undefined || !sameItems(lists, last.lists) || !lists.every(Object.isFrozen)) {
      last = { lists, joined: joinLists(lists, sources, show) }
    }
    return last.joined
  }
}

type Lists = readonly (readonly ListedTool[])[]

function joinLists(lists: Lists, sources: readonly ToolSource[], show: Show): Joined {
  const owned = sources.flatMap((source, index) =>
    (lists[index] ?? []).map((tool) => ({ tool: show(tool), source })),
  )
  const { owned: settled, notes } = settleNames(owned)
  const all = [...settled.values()]
  for (const { tool } of all) deepFreeze(tool.definition)
  return {
    listed: Object.freeze(all.map(({ tool }) => tool)),
    routes: new Map(all.map(({ tool, source }) => [tool.definition.name, source])),
    notes,
  }
}

/** An instance of each; when one cannot be made, what was made is closed again. */
async function makeAll(
  sources: readonly ToolSource[],
  make: (source: ToolSource) => Promise<ToolSource>,
): Promise<readonly ToolSource[]> {
  const makings = sources.map(make)
  try {
    return await Promise.all(makings)
  } catch (error) {
    const endings = await Promise.allSettled(makings)
    const made = endings.map((ending, index) =>
      ending.status === 'fulfilled' ? ending.value : sources[index],
    )
    await closeEach(made, sources).catch(() => {})
    throw error
  }
}

async function closeEach(
  made: readonly (ToolSource | undefined)[],
  sources: readonly ToolSource[],
): Promise<void> {
  await closeAll(sources.map((source, index) => closeMade(made[index] ?? source, source)))
}
