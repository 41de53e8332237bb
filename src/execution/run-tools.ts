import { defined } from '../tool/defined.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import { once } from '../tool/once.ts'
import type { StepContext } from '../tool/step-context.ts'
import { type MaybePromise, whenDone } from '../tool/when-done.ts'
import { checkListed, nameFault } from '../toolset/check-listed.ts'
import { checkNames } from '../toolset/known-names.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import { chooseTools } from '../toolset/select-tools.ts'
import { closeMade, sourceForRun } from '../toolset/source-instance.ts'
import type { ToolPermissions } from '../toolset/tool-permissions.ts'
import type { SourceNote, ToolSource } from '../toolset/tool-source.ts'
import type { RunBudget } from './run-budget.ts'
import { readResultName, refusalOf } from './visible-tools.ts'

/** The tools of one step. */
export interface StepTools {
  readonly source: ToolSource
  /** What a call may name, by the name that the model sees; one that is not permitted is refused by name. */
  readonly tools: ReadonlyMap<string, ListedTool>
  /** What the model is offered. */
  readonly offered: readonly ListedTool[]
  /** What is not offered and why, and what could not be read. */
  readonly notes: readonly SourceNote[]
  /** What the model reads that calls a tool which it could be offered and is not; undefined for any other name. */
  heldBack?(name: string): string | undefined
  /** Absent where nothing was made for the step. */
  close?(): Promise<void>
}

/** The tools of one run. */
export interface RunTools {
  /** At once where the source makes nothing for the step and its list is known. */
  forStep(context: StepContext, budget: RunBudget): MaybePromise<StepTools>
  /** Absent where nothing was made for the run. */
  close?(): Promise<void>
}

/** What narrows the tools of every run. */
export interface ToolRules {
  readonly permissions: readonly ToolPermissions[]
  readonly texts: ModelTexts
  readonly alwaysPermitted: object | undefined
}

/** Opens the tools of one run: sources that depend on the run make an instance for it. */
export async function openRunTools(
  source: ToolSource,
  context: StepContext,
  rules: ToolRules,
): Promise<RunTools> {
  const ofRun = await sourceForRun(source, context)
  const close = () => closeMade(ofRun, source)
  const listStep = stepLister(rules)
  return {
    ...(ofRun === source ? {} : { close }),
    forStep: (step, budget) => {
      const made = ofRun.forStep?.(step)
      const list = (source: ToolSource) => listStep(source, step, budget)
      // Most sources make nothing for a step.
      if (made === undefined || made === ofRun) return list(ofRun)
      return whenDone(made, (made = ofRun) => (made === ofRun ? list(ofRun) : closing(made, ofRun, list)))
    },
  }
}

/** The tools of a source that was made for the step, and is closed with it. */
async function closing(
  made: ToolSource,
  from: ToolSource,
  list: (source: ToolSource) => MaybePromise<StepTools>,
): Promise<StepTools> {
  const close = () => closeMade(made, from)
  try {
    return { ...(await list(made)), close }
  } catch (error) {
    await close()
    throw error
  }
}

type ListedStep = Pick<StepTools, 'tools' | 'offered' | 'notes'>

/** Lists the tools of a step. A list that cannot change is looked at once, as long as no tool is closed. */
function stepLister(rules: ToolRules) {
  let last: { readonly listed: readonly ListedTool[]; readonly step: Promise<ListedStep> } | undefined
  return (source: ToolSource, { capabilities }: StepContext, budget: RunBudget): MaybePromise<StepTools> =>
    whenDone(listNow(source), (listed) => {
      const stays = budget.isOpen && Object.isFrozen(listed)
      // Most runs have no rules: then what one step offers, those of other runs do too.
      if (stays && capabilities === undefined && rules.permissions.length === 0) {
        return withNotes(source, wholeStep(listed))
      }
      // The model of a run stays the same, and so does what it is capable of.
      if (!stays || last?.listed !== listed) {
        last = { listed, step: narrowedStep(source, listed, capabilities, budget, rules) }
      }
      return last.step.then((step) => withNotes(source, step))
    })
}

function withNotes(source: ToolSource, { tools, offered, notes }: ListedStep): StepTools {
  const own = source.notes?.() ?? []
  return { source, tools, offered, notes: own.length === 0 ? notes : [...own, ...notes] }
}

/** The lists that have come, by the promise of each: a source that gives the same promise again is not waited for. */
const arrived = new WeakMap<Promise<readonly ListedTool[]>, readonly ListedTool[]>()

function listNow(source: ToolSource): MaybePromise<readonly ListedTool[]> {
  const listing = source.list()
  return (
    arrived.get(listing) ??
    listing.then((listed) => {
      arrived.set(listing, listed)
      return listed
    })
  )
}

async function narrowedStep(
  source: ToolSource,
  listed: readonly ListedTool[],
  capabilities: StepContext['capabilities'],
  budget: RunBudget,
  rules: ToolRules,
): Promise<ListedStep> {
  const { permissions, texts } = rules
  checkListed(listed)
  const unknown = checkDenied(permissions, listed, source)
  const reasons = new Map<ListedTool, string>()
  for (const tool of listed) {
    const { name } = tool.definition
    const closed = budget.isClosed(name) ? texts.closed(name) : undefined
    const reason = closed ?? nameFault(tool) ?? refusalOf(tool, rules)
    if (reason !== undefined) reasons.set(tool, reason)
  }
  const { kept, dropped } = await chooseTools(
    listed.filter((tool) => !reasons.has(tool)),
    defined({ capabilities }),
  )
  const drops = [
    ...[...reasons].map(([{ definition }, reason]) => ({ tool: definition.name, reason })),
    ...dropped,
  ]
  const notes = [...unknown, ...drops.map((drop): SourceNote => ({ kind: 'dropped', ...drop }))]
  const tools = new Map([...kept, ...reasons.keys()].map((tool) => [tool.definition.name, tool]))
  return { tools, offered: kept, notes }
}

/** A step of which no rule and no failure takes a tool. */
const wholeStep = once((listed: readonly ListedTool[]): ListedStep => {
  checkListed(listed)
  const unnamed = listed.flatMap((tool) => {
    const reason = nameFault(tool)
    return reason === undefined ? [] : [{ tool: tool.definition.name, reason }]
  })
  const named = unnamed.length === 0 ? listed : listed.filter((tool) => nameFault(tool) === undefined)
  const { kept, dropped } = chooseTools(named, {})
  const tools = new Map(kept.map((tool) => [tool.definition.name, tool]))
  const notes = [...unnamed, ...dropped].map((drop): SourceNote => ({ kind: 'dropped', ...drop }))
  return { tools, offered: kept, notes }
})

/** The names on deny lists that are not there. Each is a mistake, as it protects nothing, or may yet come. */
export function checkDenied(
  permissions: readonly ToolPermissions[],
  listed: readonly ListedTool[],
  source: ToolSource,
): readonly SourceNote[] {
  return permissions.flatMap(({ deny }) => {
    const names = deny?.filter((name) => name !== readResultName) ?? []
    return checkNames('permissions.deny', names, listed, source)
  })
}
