import type { Preflight } from '../tool/call-outcome.ts'
import { defined } from '../tool/defined.ts'
import { deepFreeze, type JsonObject } from '../tool/json-value.ts'
import { outsideRun, type StepContext } from '../tool/step-context.ts'
import type { DefinitionLabels, ToolLabels } from '../tool/tool-definition.ts'
import { lastRead } from './last-read.ts'
import type { ListedTool } from './listed-tool.ts'
import { routed } from './routed.ts'
import { sameItems } from './same-items.ts'
import { closeMade, sourceForRun, sourceForStep } from './source-instance.ts'
import type { SourceCallOptions, SourceNote, ToolSource } from './tool-source.ts'

/** A tool as a wrapper shows it. */
export interface MappedTool {
  /** Made of the inner one with `relist`, or that itself. */
  readonly tool: ListedTool
  /** The tool as the wrapped source lists it. */
  readonly inner: ListedTool
  /** Whether a person must be asked about this very input, whatever the tool itself says. Must not throw. */
  asks?(input: JsonObject, context: StepContext): Promise<boolean>
}

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
    ...takenOver(source, options),
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

function takenOver(source: ToolSource, options: MappedOptions): Partial<ToolSource> {
  return defined({
    reportsStart: source.reportsStart,
    label: source.label,
    conflictHint: options.conflictHint ?? source.conflictHint,
    subscribe: source.subscribe && ((listener: () => void) => source.subscribe?.(listener) ?? (() => {})),
  })
}

function withDefinition(given: SourceCallOptions, { tool }: MappedTool): SourceCallOptions {
  return given.definition === undefined ? { ...given, definition: tool.definition } : given
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
  const labels = { ...answer.labels, ...changedLabels(route) }
  const { runId, step, deps } = given
  const asks = async () =>
    route.asks?.(deepFreeze(answer.input), { ...context, ...defined({ runId, step, deps }) }) ?? false
  // Who says that the input decides, where nobody can: when in doubt the person is asked.
  const undecided =
    route.tool.definition.needsApproval === 'by-input' &&
    route.inner.definition.needsApproval === false &&
    route.asks === undefined
  const always = route.tool.definition.needsApproval === true || undecided
  const needsApproval = answer.needsApproval || always || (await asks())
  return { ...answer, labels, needsApproval }
}

/** The labels that a wrapper sets to a value of its own. */
function changedLabels({ tool, inner }: MappedTool): Partial<ToolLabels> {
  const { labels } = tool.definition
  const { labels: before } = inner.definition
  if (labels === before) return {}
  const names = Object.keys(labels) as (keyof DefinitionLabels)[]
  const changed = names.filter(
    (name) => labels[name] !== 'by-input' && JSON.stringify(labels[name]) !== JSON.stringify(before[name]),
  )
  return Object.fromEntries(changed.map((name) => [name, labels[name]]))
}
