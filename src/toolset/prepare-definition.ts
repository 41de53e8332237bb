import { checkMilliseconds, checkOptions } from '../tool/check-options.ts'
import { defined } from '../tool/defined.ts'
import { errorToData } from '../tool/error-data.ts'
import { ToolError, ToolRegistrationError } from '../tool/errors.ts'
import { canonicalJson, copyJson, firstIssue, type JsonObject, type JsonValue } from '../tool/json-value.ts'
import { labelRules, optionRules } from '../tool/option-rules.ts'
import type { StepContext } from '../tool/step-context.ts'
import type { DefinitionLabels, ToolDefinition } from '../tool/tool-definition.ts'
import { isRecord } from '../tool/value-kinds.ts'
import { type ListedTool, relist } from './listed-tool.ts'

/** Changes a tool's definition for one step: gives a changed copy, or null to hide the tool. */
export type PrepareDefinition<Deps = unknown> = (
  definition: ToolDefinition,
  context: StepContext<Deps>,
) => ToolDefinition | null | Promise<ToolDefinition | null>

/**
 * A tool as it is prepared for one step; undefined when it is hidden.
 *
 * @throws {@link ToolError} with the tool's name when the function throws.
 * @throws {@link ToolRegistrationError} when what it gives back is no definition, has another name, or would have
 * the person asked less often.
 */
export async function prepareTool(
  listed: ListedTool,
  prepare: PrepareDefinition<never>,
  context: StepContext,
  where: string,
): Promise<ListedTool | undefined> {
  const { definition } = listed
  const place = `${where}, tool "${definition.name}"`
  let given: unknown
  try {
    given = await prepare(definition, context as StepContext<never>)
  } catch (cause) {
    const message = `${place}: the function failed: ${errorToData(cause).message}`
    throw new ToolError(message, { code: 'prepare', cause })
  }
  if (given === null) return undefined
  return given === definition ? listed : relist(listed, readPrepared(given, definition, place))
}

// An object and not a list: a new member of a definition that is missing here does not compile.
const memberNames: Readonly<Record<keyof ToolDefinition, true>> = {
  ...{ name: true, description: true, inputSchema: true, outputSchema: true, parallelSafe: true },
  ...{ needsApproval: true, labels: true, timeoutMs: true, maxRetries: true, maxCallsPerRun: true },
  maxResultChars: true,
  ...{
    userFields: true,
    requires: true,
    exclusiveGroup: true,
    examples: true,
    external: true,
    version: true,
    metadata: true,
  },
}
// A definition has other values there than the options of a tool.
const notAsInOptions: readonly string[] = ['needsApproval', 'userFields'] satisfies (keyof ToolDefinition)[]

function readPrepared(given: unknown, before: ToolDefinition, where: string): ToolDefinition {
  if (!isRecord(given)) {
    throw new ToolRegistrationError(
      `${where}: the function must return a definition, or null to hide the tool; it gave ${typeof given}.`,
    )
  }
  checkOptions(given, Object.keys(memberNames), where)
  // The members that may be Infinity, which no JSON can hold.
  const { timeoutMs, maxResultChars, ...rest } = given
  checkMilliseconds(timeoutMs, 'timeoutMs', where)
  const { value, issues } = copyJson(rest)
  if (issues !== undefined) throw new ToolRegistrationError(`${where}: not JSON ${firstIssue(issues)}.`)
  const copy = defined({ ...(value as JsonObject), timeoutMs, maxResultChars }) as unknown as ToolDefinition
  for (const [name, isRight] of membersOf(copy, before)) {
    if (!isRight) throw new ToolRegistrationError(`${where}: ${name}.`)
  }
  return copy
}

/** What must hold for a prepared definition, as sentences of what does not. */
function* membersOf(copy: ToolDefinition, before: ToolDefinition): Generator<readonly [string, boolean]> {
  yield [`it cannot be renamed here (to "${String(copy.name)}"); use renamed()`, copy.name === before.name]
  yield ['the description is empty', typeof copy.description === 'string' && copy.description.trim() !== '']
  yield ['inputSchema must be a JSON Schema', isRecord(copy.inputSchema)]
  yield ['outputSchema must be a JSON Schema', copy.outputSchema === undefined || isRecord(copy.outputSchema)]
  for (const name of ['external', 'userFields'] as const) {
    yield [`${name} is the tool's own and cannot be changed`, same(copy[name], before[name])]
  }
  for (const [name, { accepts, expected }] of optionRules) {
    if (name in labelRules || notAsInOptions.includes(name)) continue
    const value = copy[name as keyof ToolDefinition]
    const mayBeAbsent = name !== 'parallelSafe'
    yield [`${name} must be ${expected}`, (value === undefined && mayBeAbsent) || accepts(value)]
  }
  for (const [name, { accepts, expected }] of Object.entries(labelRules)) {
    const label: unknown = copy.labels?.[name as keyof DefinitionLabels]
    yield [`labels.${name} must be "by-input" or ${expected}`, label === 'by-input' || accepts(label)]
  }
  const strictness = [false, 'by-input', true]
  yield ['needsApproval must be true, false or "by-input"', strictness.includes(copy.needsApproval)]
  yield [
    `needsApproval cannot go from ${before.needsApproval} to ${copy.needsApproval}: a wrapper may only ask more often`,
    strictness.indexOf(copy.needsApproval) >= strictness.indexOf(before.needsApproval),
  ]
}

function same(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return one === undefined || other === undefined
    ? one === other
    : canonicalJson(one) === canonicalJson(other)
}
