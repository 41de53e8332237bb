import type { Preflight } from '../tool/call-outcome.ts'
import { defined } from '../tool/defined.ts'
import { deepFreeze } from '../tool/json-value.ts'
import { outsideRun, type StepContext } from '../tool/step-context.ts'
import { lastRead } from './last-read.ts'
import type { ListedTool } from './listed-tool.ts'
import { asShown, type MappedTool, withDefinition } from './mapped-tool.ts'
import { routed } from './routed.ts'
import { sameItems } from './same-items.ts'
import { closeMade, sourceForRun, sourceForStep } from './source-instance.ts'
import type { SourceCallOptions, SourceNote, ToolSource } from './tool-source.ts'

/** A tool that a wrapper shows as it is. */
export function unchanged(tool: ListedTool): MappedTool {
  return { tool, inner: tool }
}

/** What a wrapper makes of a list. */
export interface Mapping {
  readonly tools: readonly MappedTool[]
  readonly notes?: readonly SourceNote[]
}

/** Changes what a source lists. `source` is the wrapped one, as this run or step sees it. */
export type Change = (
  tools: readonly ListedTool[],
  context: StepContext,
  source: ToolSource,
) => Mapping | Promise<Mapping>

/** What else is known of a wrapper. */
export interface MappedOptions {
  /** Whether the change depends on the run or step. @default false: one list serves them all */
  readonly perStep?: boolean
  /** Whether a tool may be hidden in one step and shown in another. @default false */
  readonly hides?: boolean
  readonly conflictHint?: string
}

/**
 * A source with a changed list; what all wrappers stand on. Each call goes to the tool that the last list had
 * under its name, with the definition that the outermost wrapper shows. A tool's checks and answers stay its
 * own, except for what the changed definition overrides: labels, and `needsApproval: true`.
 */
export function mapped(source: ToolSource, change: Change, options: MappedOptions = {}): ToolSource {
  return mappedInstance(source, change, options, outsideRun, async () => source.close?.())
}

/** The same for one run or step; `close` ends what was made for it. */
export function mappedInstance(
  source: ToolSource,
  change: Change,
  options: MappedOptions,
  context: StepContext,
  close: () => Promise<void>,
): ToolSource {
  const offers = lastRead(listing(source, change, options, context))
  const find = (name: string) => async () => (await offers.last()).routes.get(name)
  const instance = (make: typeof sourceForRun) => async (inner: StepContext) => {
    const made = await make(source, inner)
    if (made === source && !options.perStep) return undefined
    return mappedInstance(made, change, options, inner, () => closeMade(made, source))
  }
  const self: ToolSource = {
    ...takenOver(source),
    ...defined({ conflictHint: options.conflictHint ?? source.conflictHint }),
    get dynamic() {
      return options.hides || source.dynamic || false
    },
    list: async () => (await offers.read()).listed,
    preflight: (name, input, given = {}) =>
      routed(name, find(name), (route) => preflightBy(route, source, input, given, context)),
    call: (name, input, given = {}) =>
      routed(name, find(name), (route) =>
        source.call(route.inner.definition.name, input, withDefinition(given, route)),
      ),
    notes: () => [...(source.notes?.() ?? []), ...(offers.peek()?.notes ?? [])],
    forRun: instance(sourceForRun),
    forStep: instance(sourceForStep),
    close,
  }
  return self
}

interface Offer {
  readonly children: readonly ListedTool[]
  readonly listed: readonly ListedTool[]
  readonly routes: ReadonlyMap<string, MappedTool>
  readonly notes: readonly SourceNote[]
}

function listing(
  source: ToolSource,
  change: Change,
  { perStep = false }: MappedOptions,
  context: StepContext,
): () => Promise<Offer> {
  let last: Offer | undefined
  return async () => {
    const children = await source.list()
    // The same tools give the same list: who keeps something by it need not do so anew.
    if (!perStep && last?.notes.length === 0 && sameItems(children, last.children)) return last
    const { tools, notes = [] } = await change(children, context, source)
    last = {
      children,
      listed: Object.freeze(tools.map(({ tool }) => tool)),
      routes: new Map(tools.map((route) => [route.tool.definition.name, route])),
      notes,
    }
    return last
  }
}

/** What a wrapper of any kind takes over from a source as it is. */
export function takenOver(source: ToolSource): Partial<ToolSource> {
  return defined({
    reportsStart: source.reportsStart,
    label: source.label,
    conflictHint: source.conflictHint,
    subscribe: source.subscribe && ((listener: () => void) => source.subscribe?.(listener) ?? (() => {})),
  })
}

async function preflightBy(
  route: MappedTool,
  source: ToolSource,
  input: unknown,
  given: SourceCallOptions,
  context: StepContext,
): Promise<Preflight> {
  const { mayLeaveCheck = false, ...rest } = withDefinition(given, route)
  // Nobody is asked about an input that may still be refused.
  const options = mayLeaveCheck && route.asks === undefined ? { ...rest, mayLeaveCheck } : rest
  const answer = await source.preflight(route.inner.definition.name, input, options)
  if (answer.kind !== 'ready') return answer
  const shown = asShown(answer, route)
  if (shown.needsApproval || route.asks === undefined) return shown
  const { runId, step, deps } = given
  const asks = route.asks(deepFreeze(answer.input), { ...context, ...defined({ runId, step, deps }) })
  return { ...shown, needsApproval: await asks }
}
