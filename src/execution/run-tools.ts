import { defined } from '../tool/defined.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import { once } from '../tool/once.ts'
import type { StepContext } from '../tool/step-context.ts'
import { isPromise } from '../tool/when-done.ts'
import { checkListed } from '../toolset/check-listed.ts'
import { checkNames } from '../toolset/known-names.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import { chooseTools } from '../toolset/select-tools.ts'
import { closeMade, sourceForRun } from '../toolset/source-instance.ts'
import type { ToolPermissions } from '../toolset/tool-permissions.ts'
import type { SourceNote, ToolSource } from '../toolset/tool-source.ts'
import type { RunBudget } from './run-budget.ts'
import { refusalOf } from './visible-tools.ts'

/** The tools of one step. */
export interface StepTools {
  readonly source: ToolSource
  /** What a call may name, by the name that the model sees; one that is not permitted is refused by name. */
  readonly tools: ReadonlyMap<string, ListedTool>
  /** What the model is offered. */
  readonly offered: readonly ListedTool[]
  /** What is not offered and why, and what could not be read. */
  readonly notes: readonly SourceNote[]
  /** Absent where nothing was made for the step. */
  close?(): Promise<void>
}

/** The tools of one run. */
export interface RunTools {
  forStep(context: StepContext, budget: RunBudget): Promise<StepTools>
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
  return {
    ...(ofRun === source ? {} : { close }),
    forStep: async (step, budget) => {
      const making = ofRun.forStep?.(step)
      const source = (isPromise(making) ? await making : making) ?? ofRun
      if (source === ofRun) return { source, ...(await listStep(source, step, budget, rules)) }
      const close = () => closeMade(source, ofRun)
      try {
        return { source, close, ...(await listStep(source, step, budget, rules)) }
      } catch (error) {
        await close()
        throw error
      }
    },
  }
}

type ListedStep = Pick<StepTools, 'tools' | 'offered' | 'notes'>

async function listStep(
  source: ToolSource,
  { capabilities }: StepContext,
  budget: RunBudget,
  rules: ToolRules,
): Promise<ListedStep> {
  const { permissions, texts } = rules
  const listed = await source.list()
  const isWhole = capabilities === undefined && permissions.length === 0 && budget.isOpen
  // Most steps offer what the one before did: a list that cannot change is looked at once.
  if (isWhole && source.notes === undefined && Object.isFrozen(listed)) return wholeStep(listed)
  checkListed(listed)
  const unknown = checkDenied(permissions, listed, source)
  const reasons = new Map<ListedTool, string>()
  for (const tool of listed) {
    const { name } = tool.definition
    const closed = budget.isClosed(name) ? texts.closed(name) : undefined
    const reason = closed ?? refusalOf(tool, rules)
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
  const notes = [
    ...(source.notes?.() ?? []),
    ...unknown,
    ...drops.map((drop): SourceNote => ({ kind: 'dropped', ...drop })),
  ]
  const tools = new Map([...kept, ...reasons.keys()].map((tool) => [tool.definition.name, tool]))
  return { tools, offered: kept, notes }
}

/** A step of which no rule and no failure takes a tool. */
const wholeStep = once((listed: readonly ListedTool[]): ListedStep => {
  checkListed(listed)
  const { kept, dropped } = chooseTools(listed, {})
  const tools = new Map(kept.map((tool) => [tool.definition.name, tool]))
  return { tools, offered: kept, notes: dropped.map((drop): SourceNote => ({ kind: 'dropped', ...drop })) }
})

/** The names on deny lists that are not there. Each is a mistake, as it protects nothing, or may yet come. */
export function checkDenied(
  permissions: readonly ToolPermissions[],
  listed: readonly ListedTool[],
  source: ToolSource,
): readonly SourceNote[] {
  return permissions.flatMap(({ deny }) => checkNames('permissions.deny', deny ?? [], listed, source))
}
