import type { CallOutcome } from '../tool/call-outcome.ts'
import { checkOptions } from '../tool/check-options.ts'
import { now } from '../tool/clock.ts'
import { defined } from '../tool/defined.ts'
import { errorToData } from '../tool/error-data.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { deepFreeze } from '../tool/json-value.ts'
import { once } from '../tool/once.ts'
import type { StepContext } from '../tool/step-context.ts'
import { byName } from './by-name.ts'
import { lastRead } from './last-read.ts'
import { type ListedTool, relist } from './listed-tool.ts'
import { routed } from './routed.ts'
import { closeAll, closeMade, sourceForRun, sourceForStep } from './source-instance.ts'
import { gone, type SourceCallOptions, type SourceNote, type ToolSource } from './tool-source.ts'
import { checkUsualLimits, type UsualLimits } from './usual-limits.ts'

/** What {@link combined} takes beside the sources. */
export interface CombinedOptions extends UsualLimits {
  /**
   * What becomes of a source that cannot be listed: the whole list fails, or the source is left out with a note
   * and tried again with the next list. A mistake of the developer is never skipped. @default 'throw'
   */
  readonly onSourceError?: 'throw' | 'skip'
}

/**
 * Several sources as one. They are listed at the same time and keep their order; a call goes to the one that
 * listed the name.
 *
 * @throws {@link ToolRegistrationError} from `list` when two of them offer one name, with both origins and what
 * can be done; for an option that cannot be.
 */
export function combined(sources: readonly ToolSource[], options: CombinedOptions = {}): ToolSource {
  const { onSourceError = 'throw', ...usual } = checkedOptions(options)
  const close = () => closeAll(sources.map((source) => source.close?.()))
  return join(sources, { skips: onSourceError === 'skip', limited: limiter(usual) }, close)
}

interface JoinOptions {
  readonly skips: boolean
  readonly limited: (tool: ListedTool) => ListedTool
}

/** Gives tools the limits of their group; what a tool itself says wins. The same tool gives the same again. */
function limiter(usual: UsualLimits): JoinOptions['limited'] {
  if (Object.keys(usual).length === 0) return (tool) => tool
  return once((tool) => relist(tool, { ...usual, ...tool.definition }))
}

interface Joined {
  readonly listed: readonly ListedTool[]
  readonly routes: ReadonlyMap<string, ToolSource>
  readonly notes: readonly SourceNote[]
}

function join(sources: readonly ToolSource[], options: JoinOptions, close: () => Promise<void>): ToolSource {
  const lists = lastRead(() => listAll(sources, options))
  const route = (name: string) => async () => (await lists.last()).routes.get(name)
  const instance = (make: typeof sourceForRun) => async (context: StepContext) => {
    const made = await makeAll(sources, (source) => make(source, context), options.skips)
    if (made.every((each, index) => each === sources[index])) return undefined
    return join(made, options, () => closeEach(made, sources))
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
  // A combined source promises to report the start; a child that does not has started by being called.
  if (source.reportsStart) return source.call(name, input, options)
  const { onStart, ...rest } = options
  if (options.signal?.aborted) return { kind: 'stopped', mayHaveRun: false }
  onStart?.({ at: now() })
  return source.call(name, input, rest)
}

async function listAll(sources: readonly ToolSource[], { skips, limited }: JoinOptions): Promise<Joined> {
  const notes: SourceNote[] = []
  const lists = await Promise.all(
    sources.map(async (source, index): Promise<readonly ListedTool[]> => {
      try {
        return (await source.list()).map(limited)
      } catch (error) {
        if (!skips || isMistake(error)) throw error
        const { message } = errorToData(error)
        notes.push({
          kind: 'failed',
          source: labelOf(sources, index),
          message,
        })
        return []
      }
    }),
  )
  const offering = (name: string) =>
    sources.filter((_source, index) => lists[index]?.some(({ definition }) => definition.name === name))
  const tools = byName(lists.flat(), 'Two tools', (name) =>
    offering(name)
      .map((source) => source.conflictHint)
      .findLast((hint) => hint !== undefined),
  )
  for (const { definition } of tools.values()) deepFreeze(definition)
  const routes = new Map(
    sources.flatMap((source, index) =>
      (lists[index] ?? []).map(({ definition }): [string, ToolSource] => [definition.name, source]),
    ),
  )
  return { listed: Object.freeze([...tools.values()]), routes, notes }
}

function labelOf(sources: readonly ToolSource[], index: number): string {
  return sources[index]?.label ?? `source ${index + 1} of ${sources.length}`
}

/** An instance of each; when one cannot be made, what was made is closed again. */
async function makeAll(
  sources: readonly ToolSource[],
  make: (source: ToolSource) => Promise<ToolSource>,
  skips: boolean,
): Promise<readonly ToolSource[]> {
  const makings = await Promise.allSettled(sources.map(make))
  const failed = makings.find(
    (making): making is PromiseRejectedResult =>
      making.status === 'rejected' && (!skips || isMistake(making.reason)),
  )
  const made = makings.map((making, index) => {
    if (making.status === 'fulfilled') return making.value
    return unavailable(labelOf(sources, index), making.reason)
  })
  if (failed === undefined) return made
  await closeEach(made, sources).catch(() => {})
  throw failed.reason
}

async function closeEach(made: readonly ToolSource[], sources: readonly ToolSource[]): Promise<void> {
  await closeAll(made.map((each, index) => closeMade(each, sources[index] ?? each)))
}

/** Stands for a source that could not be made ready for a run or a step. */
function unavailable(label: string, error: unknown): ToolSource {
  return {
    label,
    list: () => Promise.reject(error),
    preflight: async (name) => gone(name),
    call: async (name) => gone(name),
  }
}

function isMistake(error: unknown): boolean {
  return error instanceof Error && error.name === 'ToolRegistrationError'
}

function checkedOptions(options: CombinedOptions): CombinedOptions {
  const where = 'combined()'
  checkOptions(options, ['onSourceError', 'timeoutMs', 'maxRetries'], where)
  const { onSourceError } = options
  if (onSourceError !== undefined && onSourceError !== 'throw' && onSourceError !== 'skip') {
    throw new ToolRegistrationError(`${where}, onSourceError: expected "throw" or "skip".`)
  }
  checkUsualLimits(options, where)
  return defined({ ...options })
}
