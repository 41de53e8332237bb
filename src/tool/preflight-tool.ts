import type { Preflight } from './call-outcome.ts'
import { errorToData } from './error-data.ts'
import { copyJsonObject } from './json-value.ts'
import { normalizeInput } from './normalize-input.ts'
import { areDecided, strictest } from './option-rules.ts'
import type { RunContext } from './run-context.ts'
import { thrownOutcome } from './thrown-outcome.ts'
import { within } from './time-limit.ts'
import type { Tool } from './tool.ts'
import type { ToolLabels } from './tool-definition.ts'
import type { ToolOptions } from './tool-options.ts'
import { issuesOfModel, withoutUserFields } from './user-fields.ts'
import { type MaybePromise, orElse, whenDone } from './when-done.ts'
import type { Writable } from './writable.ts'

/** A `needsApproval` function that is silent for longer counts as yes. In milliseconds. */
const approvalSilenceMs = 2_000

/**
 * Looks at a call where the tool lives, before anything runs: keys and schema, the tool's own `check`,
 * whether a person must be asked, the concurrency key and the labels of this very input. Answers at once where
 * nothing of the tool's has to be waited for.
 *
 * @param contextOf - Asked for what the tool is told, if it is told anything.
 * @param mayLeaveCheck - The answer may be `unchecked` where only the schema could refuse: whoever runs the call checks.
 */
export function preflightTool(
  tool: Tool,
  rawInput: unknown,
  contextOf: () => RunContext,
  { filledByPerson = false, mayLeaveCheck = false }: PreflightOptions = {},
): MaybePromise<Preflight> {
  const { value: copied, issues } = copyJsonObject(rawInput)
  if (issues !== undefined) return { kind: 'invalid', issues }
  const { definition } = tool
  const { input: schema } = tool['~internals']
  // The model's part is looked at by itself, and the whole once a person filled in the rest.
  const { userFields } = filledByPerson ? {} : definition
  const { input: given, taken } =
    userFields === undefined ? { input: copied, taken: [] } : withoutUserFields(copied, userFields)
  const shown = userFields === undefined ? schema.jsonSchema : definition.inputSchema
  const { input, droppedKeys } = normalizeInput(shown, given)
  if (mayLeaveCheck && onlySchemaRefuses(tool)) {
    const labels = definition.labels as ToolLabels
    return { kind: 'ready', input, droppedKeys, needsApproval: false, reasons: [], labels, unchecked: true }
  }
  return orElse<Preflight>(
    () =>
      whenDone(schema.validate(input), ({ value, issues }) => {
        const wrong = userFields === undefined ? issues : issuesOfModel(issues ?? [], userFields)
        if (wrong !== undefined) return { kind: 'invalid', issues: wrong }
        if (userFields !== undefined)
          return { kind: 'fields', input, droppedKeys: [...taken, ...droppedKeys] }
        return whenDone(askTool(tool, value, contextOf), (asked) =>
          'kind' in asked ? asked : readyAs(tool, value, { input, droppedKeys, ...asked }),
        )
      }),
    crashed,
  )
}

interface PreflightOptions {
  readonly filledByPerson?: boolean | undefined
  readonly mayLeaveCheck?: boolean | undefined
}

/** Whether nothing but the schema can keep a call of a tool from running, or say how it is to be judged. */
function onlySchemaRefuses({ definition, '~internals': { options } }: Tool): boolean {
  const { needsApproval, userFields, external, maxCallsPerRun, labels } = definition
  const asksNobody = needsApproval === false && userFields === undefined && !external
  // A call that is refused does not count among those that a tool may have.
  const isCounted = maxCallsPerRun !== undefined
  const isAsked = options.check !== undefined || options.concurrencyKey !== undefined
  return asksNobody && !isCounted && !isAsked && areDecided(labels)
}

const crashed = (error: unknown): Preflight => ({ kind: 'crash', error: errorToData(error) })

type Ready = Extract<Preflight, { readonly kind: 'ready' }>

/** Whether a person is to be asked, and why. */
type Asked = Pick<Ready, 'needsApproval' | 'reasons' | 'change' | 'boundTo'>

function readyAs(tool: Tool, value: unknown, looked: Pick<Ready, 'input' | 'droppedKeys'> & Asked): Ready {
  const { options } = tool['~internals']
  const key = options.concurrencyKey?.(value)
  const { labels: declared } = tool.definition
  const labels = areDecided(declared)
    ? declared
    : strictest(declared, (name) => (options[name] as (input: unknown) => unknown)(value))
  const { input, droppedKeys, needsApproval, reasons, change, boundTo } = looked
  // Member by member: most calls make one, and none of them has more.
  const ready: Writable<Ready> = { kind: 'ready', input, droppedKeys, needsApproval, reasons, labels }
  if (change !== undefined) ready.change = change
  if (boundTo !== undefined) ready.boundTo = boundTo
  if (key !== undefined) ready.concurrencyKey = String(key)
  return ready
}

/** What the tool itself says of a call; without functions of its own that is known already. */
function askTool(tool: Tool, value: unknown, contextOf: () => RunContext): MaybePromise<Asked | Preflight> {
  const { check, needsApproval = false } = tool['~internals'].options
  // The definition may be stricter: the tool's own `prepare` may have made it so.
  const asksAlways = tool.definition.needsApproval === true
  if (check === undefined && typeof needsApproval !== 'function') {
    return { needsApproval: asksAlways || needsApproval, reasons: [] }
  }
  return askFunctions(tool, value, contextOf())
}

async function askFunctions(tool: Tool, value: unknown, context: RunContext): Promise<Asked | Preflight> {
  const asked = await runCheck(tool['~internals'].options, value, context)
  return asked ?? { reasons: [], needsApproval: await needsApproval(tool, value, context) }
}

/** Why the check wants a person asked, or how it ended the call. */
async function runCheck(
  options: ToolOptions,
  value: unknown,
  context: RunContext,
): Promise<Asked | Preflight | undefined> {
  try {
    await options.check?.(value, context)
    return undefined
  } catch (error) {
    const outcome = thrownOutcome(error)
    if (outcome.kind === 'deferred') return { kind: 'crash', error: errorToData(error) }
    if (outcome.kind !== 'approval') return outcome
    const { kind: _kind, reason, reasons = [reason], ...rest } = outcome
    return { ...rest, needsApproval: true, reasons }
  }
}

async function needsApproval(tool: Tool, value: unknown, context: RunContext): Promise<boolean> {
  const { needsApproval: rule = false } = tool['~internals'].options
  // The definition may be stricter: the tool's own `prepare` may have made it so.
  if (tool.definition.needsApproval === true) return true
  if (typeof rule !== 'function') return rule
  try {
    // Anything but a plain `false` asks: `undefined` is more likely a forgotten return than a no.
    return (await within(Promise.resolve(rule(value, context)), approvalSilenceMs, true)) !== false
  } catch {
    return true
  }
}
