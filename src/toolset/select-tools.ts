import { checkOptions } from '../tool/check-options.ts'
import { defined } from '../tool/defined.ts'
import { errorToData } from '../tool/error-data.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { isStringList } from '../tool/json-value.ts'
import { type ModelTexts, modelTextsEn } from '../tool/model-texts.ts'
import { outsideRun, type StepContext } from '../tool/step-context.ts'
import { originOf } from '../tool/tool-origin.ts'
import { checkNames } from './known-names.ts'
import type { ListedTool } from './listed-tool.ts'
import { mapped, unchanged } from './mapped.ts'
import { checkPermissions, refusal, type ToolPermissions } from './tool-permissions.ts'
import type { SourceNote, ToolSource } from './tool-source.ts'

/** What tools are chosen by. */
export interface ToolChoice<Deps = unknown> {
  /** A tool must pass each of them. */
  readonly permissions?: readonly ToolPermissions[]
  /** What the model can do. @default the step's; where it does not say, no tool is left out for that */
  readonly capabilities?: readonly string[]
  /** The app's own choice, for example by what `deps` say of the session: false, or why not, leaves a tool out. */
  select?(tool: ListedTool, context: StepContext<Deps>): boolean | string | Promise<boolean | string>
  readonly texts?: ModelTexts
}

/** The tools that are left, and why the others are not. */
export interface ChosenTools {
  readonly kept: readonly ListedTool[]
  readonly dropped: readonly { readonly tool: string; readonly reason: string }[]
}

/**
 * Chooses the tools that a model is offered: by permissions, by what it is capable of, by the app's own function,
 * and of each exclusive group the first that is left. Keeps their order. A `select` that fails leaves the tool out.
 */
export async function chooseTools<Deps = unknown>(
  tools: readonly ListedTool[],
  choice: ToolChoice<Deps>,
  context: StepContext = outsideRun,
): Promise<ChosenTools> {
  const reasons = await Promise.all(
    tools.map((tool) => reasonAgainst(tool, choice as ToolChoice<never>, context)),
  )
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

async function reasonAgainst(
  tool: ListedTool,
  { permissions = [], capabilities, select, texts = modelTextsEn }: ToolChoice<never>,
  context: StepContext,
): Promise<string | undefined> {
  const { name, requires = [] } = tool.definition
  const refused = refusal(permissions, name, originOf(tool), texts)
  if (refused !== undefined) return refused
  const able = capabilities ?? context.capabilities
  const missing = able && requires.find((capability) => !able.includes(capability))
  if (missing !== undefined) return `the model is not capable of "${missing}", which the tool requires`
  if (select === undefined) return undefined
  try {
    const answer: unknown = await select(tool, context as StepContext<never>)
    if (answer === true) return undefined
    return typeof answer === 'string' && answer !== '' ? answer : 'select() left it out'
  } catch (error) {
    return `select() failed: ${errorToData(error).message}`
  }
}

/** What {@link selectTools} takes. */
export interface SelectToolsOptions<Deps = unknown> extends Omit<ToolChoice<Deps>, 'permissions' | 'texts'> {
  readonly permissions?: ToolPermissions
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
  const { permissions, capabilities, select } = checkedOptions(options as SelectToolsOptions<never>)
  const choice = defined({ permissions: permissions && [permissions], capabilities, select })
  const lists = (['allow', 'deny'] as const).map((key) => [key, permissions?.[key] ?? []] as const)
  return mapped(
    source,
    async (tools, context, child) => {
      const unknown = lists.flatMap(([key, names]) =>
        checkNames(`selectTools(), permissions.${key}`, names, tools, child),
      )
      const { kept, dropped } = await chooseTools(tools, choice, context)
      const notes = [...unknown, ...dropped.map((drop): SourceNote => ({ kind: 'dropped', ...drop }))]
      return { tools: kept.map(unchanged), notes }
    },
    { perStep: true, hides: true },
  )
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
