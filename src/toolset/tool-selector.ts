import { errorToData } from '../tool/error-data.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { canonicalJson, type JsonObject, type JsonValue } from '../tool/json-value.ts'
import type { StepContext } from '../tool/step-context.ts'
import { isRecord, isStringList } from '../tool/value-kinds.ts'
import type { ListedTool } from './listed-tool.ts'
import type { ToolSource } from './tool-source.ts'

/**
 * Which tools are meant: all of them, one by its name, several, those whose `metadata` includes what is given
 * (members of objects one by one, all else by its value), or those of which a function says so. A tool that is
 * itself named `all` is meant by `['all']`.
 */
export type ToolSelector<Name extends string = string, Deps = unknown> =
  | 'all'
  | Name
  | readonly Name[]
  | JsonObject
  | ToolPredicate<Deps>

/** Says of one tool whether it is meant. Its names are those of the source that is wrapped. */
export type ToolPredicate<Deps = unknown> = (
  tool: ListedTool,
  context: StepContext<Deps>,
) => boolean | Promise<boolean>

/** A selector of any app. */
export type AnySelector = ToolSelector<string, never>

/** The names that a source is known to offer: those of a `WorkerToolset<typeof tools>`, else any. */
export type OfferedName<Source extends ToolSource> = Parameters<Source['preflight']>[0]

/** Whether a tool is meant; or why the selector could not say. */
export type Verdict = boolean | { readonly failed: string }

/** Throws a {@link ToolRegistrationError} for what is no selector, and for one that means nothing in particular. */
export function checkSelector(selector: unknown, where: string): asserts selector is AnySelector {
  if (typeof selector === 'function' || isStringList(selector)) return
  if (typeof selector === 'string' && selector !== '') return
  if (isRecord(selector) && Object.keys(selector).length > 0) return
  throw new ToolRegistrationError(
    `${where}: expected "all", a tool's name, a list of names, metadata to look for or a function of a tool.`,
  )
}

/** The tools that a selector names one by one. */
export function namesIn(selector: AnySelector): readonly string[] {
  if (isStringList(selector)) return selector
  return typeof selector === 'string' && selector !== 'all' ? [selector] : []
}

/** Asks a selector about all tools at once; the verdicts are in the order of the tools. */
export function selected(
  selector: AnySelector,
  tools: readonly ListedTool[],
  context: StepContext,
): Promise<readonly Verdict[]> {
  return Promise.all(tools.map((tool) => verdictOn(tool, selector, context)))
}

async function verdictOn(tool: ListedTool, selector: AnySelector, context: StepContext): Promise<Verdict> {
  if (typeof selector === 'function') return ask(selector, tool, context)
  if (selector === 'all') return true
  const { name, metadata } = tool.definition
  if (typeof selector === 'string' || isStringList(selector)) return namesIn(selector).includes(name)
  return metadata !== undefined && includes(metadata, selector as JsonObject)
}

async function ask(
  predicate: ToolPredicate<never>,
  tool: ListedTool,
  context: StepContext,
): Promise<Verdict> {
  try {
    const answer: unknown = await predicate(tool, context as StepContext<never>)
    if (typeof answer === 'boolean') return answer
    return { failed: `the function gave ${typeof answer}, not true or false` }
  } catch (error) {
    return { failed: errorToData(error).message }
  }
}

/** The same, where a function that cannot say is a mistake: throws a {@link ToolRegistrationError} with the tool's name. */
export async function selectedOrThrow(
  selector: AnySelector,
  tools: readonly ListedTool[],
  context: StepContext,
  where: string,
): Promise<readonly boolean[]> {
  const verdicts = await selected(selector, tools, context)
  return verdicts.map((verdict, index) => {
    if (typeof verdict === 'boolean') return verdict
    const name = tools[index]?.definition.name
    throw new ToolRegistrationError(`${where}, tool "${name}": the selector failed: ${verdict.failed}`)
  })
}

function includes(whole: JsonValue, part: JsonValue): boolean {
  if (!isRecord(part) || !isRecord(whole)) return canonicalJson(whole) === canonicalJson(part)
  return Object.entries(part as JsonObject).every(
    ([key, value]) => Object.hasOwn(whole, key) && includes((whole as JsonObject)[key] as JsonValue, value),
  )
}
