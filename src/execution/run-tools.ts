import { defined } from '../tool/defined.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import type { StepContext } from '../tool/step-context.ts'
import { checkListed } from '../toolset/check-listed.ts'
import { checkNames } from '../toolset/known-names.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import { chooseTools } from '../toolset/select-tools.ts'
import { closeMade, sourceForRun, sourceForStep } from '../toolset/source-instance.ts'
import type { ToolPermissions } from '../toolset/tool-permissions.ts'
import type { SourceNote, ToolSource } from '../toolset/tool-source.ts'
import { refusalOf } from './permit.ts'
import type { RunBudget } from './run-budget.ts'

/** The tools of one step. */
export interface StepTools {
  readonly source: ToolSource
  /** What a call may name, by the name that the model sees; one that is not permitted is refused by name. */
  readonly tools: ReadonlyMap<string, ListedTool>
  /** What the model is offered. */
  readonly offered: readonly ListedTool[]
  /** What is not offered and why, and what could not be read. */
  readonly notes: readonly SourceNote[]
  close(): Promise<void>
}

/** The tools of one run. */
export interface RunTools {
  forStep(context: StepContext, budget: RunBudget): Promise<StepTools>
  close(): Promise<void>
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
  return {
    forStep: async (step, budget) => {
      const ofStep = await sourceForStep(ofRun, step)
      const close = () => closeMade(ofStep, ofRun)
      try {
        return { source: ofStep, close, ...(await listStep(ofStep, step, budget, rules)) }
      } catch (error) {
        await close()
        throw error
      }
    },
    close: () => closeMade(ofRun, source),
  }
}

async function listStep(
  source: ToolSource,
  { capabilities }: StepContext,
  budget: RunBudget,
  rules: ToolRules,
): Promise<Pick<StepTools, 'tools' | 'offered' | 'notes'>> {
  const { permissions, texts } = rules
  const listed = await source.list()
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

/** The names on deny lists that are not there. Each is a mistake, as it protects nothing, or may yet come. */
export function checkDenied(
  permissions: readonly ToolPermissions[],
  listed: readonly ListedTool[],
  source: ToolSource,
): readonly SourceNote[] {
  return permissions.flatMap(({ deny }) => checkNames('permissions.deny', deny ?? [], listed, source))
}
