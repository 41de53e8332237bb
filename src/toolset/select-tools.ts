import { checkOptions } from '../tool/check-options.ts'
import { defined } from '../tool/defined.ts'
import { errorToData } from '../tool/error-data.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { modelTextsEn } from '../tool/model-texts.ts'
import type { StepContext } from '../tool/step-context.ts'
import { originOf } from '../tool/tool-origin.ts'
import { isStringList } from '../tool/value-kinds.ts'
import { checkNames } from './known-names.ts'
import type { ListedTool } from './listed-tool.ts'
import { mapped, unchanged } from './mapped.ts'
import { checkPermissions, refusal, type ToolPermissions } from './tool-permissions.ts'
import type { SourceNote, ToolSource } from './tool-source.ts'

/** The tools that are left, and why the others are not. */
export interface ChosenTools {
  readonly kept: readonly ListedTool[]
  readonly dropped: readonly { readonly tool: string; readonly reason: string }[]
}

/** What the model of a step can do; where it does not say, no tool is left out for that. */
export type Able = Pick<StepContext, 'capabilities'>

/**
 * Chooses the tools that a model is offered: by what it is capable of, and of each exclusive group the first that is
 * left. Keeps their order.
 */
export function chooseTools(tools: readonly ListedTool[], able: Able): ChosenTools {
  return firstOfGroups(
    tools,
    tools.map((tool) => lacking(tool, able)),
  )
}

/** `reasons` say of each tool why it is left out already. */
function firstOfGroups(tools: readonly ListedTool[], reasons: readonly (string | undefined)[]): ChosenTools {
  const firsts = new Map<string, string>()
  const kept: ListedTool[] = []
  const dropped: { tool: string; reason: string }[] = []
  for (const [index, tool] of tools.entries()) {
    const { name, exclusiveGroup: group } = tool.definition
    const first = group === undefined ? undefined : firsts.get(group)
    const reason =
      reasons[index] ?? (first && `"${first}" is offered, the first of the exclusive group "${group}"`)
    if (reason !== undefined) dropped.push({ tool: name, reason })
    else {
      kept.push(tool)
      if (group !== undefined) firsts.set(group, name)
    }
  }
  return { kept, dropped }
}

function lacking({ definition }: ListedTool, { capabilities }: Able): string | undefined {
  const missing = capabilities && definition.requires?.find((needed) => !capabilities.includes(needed))
  if (missing === undefined) return undefined
  return `the model is not capable of "${missing}", which the tool requires`
}

/** What {@link selectTools} takes. */
export interface SelectToolsOptions<Deps = unknown> {
  readonly permissions?: ToolPermissions
  /** What the model can do. @default the step's; where it does not say, no tool is left out for that */
  readonly capabilities?: readonly string[]
  /** The app's own choice, for example by what `deps` say of the session: false, or why not, leaves a tool out. */
  select?(tool: ListedTool, context: StepContext<Deps>): boolean | string | Promise<boolean | string>
}

/**
 * Only those tools of a source that fit the model, the permissions and the session, chosen anew for each step;
 * `notes` say of each other one why not. A dropped one does not exist for a model.
 *
 * @throws {@link ToolRegistrationError} for an option that cannot be; from `list`, when the permissions name a tool
 * that is not there.
 */
export function selectTools<Deps = unknown>(
  source: ToolSource,
  options: SelectToolsOptions<Deps>,
): ToolSource {
  const choice = checkedOptions(options as SelectToolsOptions<never>)
  const { permissions } = choice
  const lists = (['allow', 'deny'] as const).map((key) => [key, permissions?.[key] ?? []] as const)
  return mapped(
    source,
    async (tools, context, child) => {
      const unknown = lists.flatMap(([key, names]) =>
        checkNames(`selectTools(), permissions.${key}`, names, tools, child),
      )
      const reasons = await Promise.all(tools.map((tool) => reasonAgainst(tool, choice, context)))
      const { kept, dropped } = firstOfGroups(tools, reasons)
      const notes = [...unknown, ...dropped.map((drop): SourceNote => ({ kind: 'dropped', ...drop }))]
      return { tools: kept.map(unchanged), notes }
    },
    { perStep: true, hides: true },
  )
}

/** Why a tool is left out. A `select` that fails leaves it out. */
async function reasonAgainst(
  tool: ListedTool,
  choice: SelectToolsOptions<never>,
  context: StepContext,
): Promise<string | undefined> {
  const { permissions, capabilities = context.capabilities, select } = choice
  const all = permissions === undefined ? [] : [permissions]
  const refused =
    refusal(all, tool.definition.name, originOf(tool), modelTextsEn) ??
    lacking(tool, defined({ capabilities }))
  if (refused !== undefined || select === undefined) return refused
  try {
    const answer: unknown = await select(tool, context as StepContext<never>)
    if (answer === true) return undefined
    return typeof answer === 'string' && answer !== '' ? answer : 'select() left it out'
  } catch (error) {
    return `select() failed: ${errorToData(error).message}`
  }
}

function checkedOptions(options: SelectToolsOptions<never>): SelectToolsOptions<never> {
  const where = 'selectTools()'
  checkOptions(options, ['permissions', 'capabilities', 'select'], where)
  checkPermissions(options.permissions, where)
  if (options.capabilities !== undefined && !isStringList(options.capabilities)) {
    throw new ToolRegistrationError(`${where}, capabilities: expected a list of strings.`)
  }
  if (options.select !== undefined && typeof options.select !== 'function') {
    throw new ToolRegistrationError(
      `${where}, select: expected a function, (tool, context) => boolean or a reason.`,
    )
  }
  return options
}
