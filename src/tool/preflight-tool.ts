import type { Preflight } from './call-outcome.ts'
import { defined } from './defined.ts'
import { errorToData } from './error-data.ts'
import { copyJson, isRecord, type JsonObject } from './json-value.ts'
import { normalizeInput } from './normalize-input.ts'
import { areDecided, readLabels } from './option-rules.ts'
import type { RunContext } from './run-context.ts'
import { thrownOutcome } from './thrown-outcome.ts'
import { within } from './time-limit.ts'
import type { Tool } from './tool.ts'
import type { ToolLabels } from './tool-definition.ts'
import type { ToolOptions } from './tool-options.ts'
import { issuesOfModel, withoutUserFields } from './user-fields.ts'

/** A `needsApproval` function that is silent for longer counts as yes. In milliseconds. */
const approvalSilenceMs = 2_000

/**
 * Looks at a call where the tool lives, before anything runs: keys and schema, the tool's own `check`,
 * whether a person must be asked, the concurrency key and the labels of this very input.
 */
export async function preflightTool(
  tool: Tool,
  rawInput: unknown,
  context: RunContext,
  filledByPerson = false,
): Promise<Preflight> {
  const { value: copied, issues } = copyJson(rawInput)
  if (issues !== undefined) return { kind: 'invalid', issues }
  if (!isRecord(copied)) return { kind: 'invalid', issues: [{ path: '', message: 'expected an object' }] }
  const { input: schema, options } = tool['~internals']
  const { userFields } = tool.definition
  if (userFields !== undefined && !filledByPerson) {
    return preflightOfModel(tool, copied as JsonObject, userFields)
  }
  const { input, droppedKeys } = normalizeInput(schema.jsonSchema, copied as JsonObject)
  try {
    // A copy: what the tool's own functions do to their input must not change what the person sees.
    const { value, issues } = await schema.validate(copyJson(input).value)
    if (issues !== undefined) return { kind: 'invalid', issues }
    const reasons = await runCheck(options, value, context)
    if (!Array.isArray(reasons)) return reasons
    const asked = reasons.length > 0 || (await needsApproval(tool, value, context))
    const key = options.concurrencyKey?.(value)
    return defined({
      kind: 'ready' as const,
      input,
      droppedKeys,
      needsApproval: asked,
      reasons,
      concurrencyKey: key === undefined ? undefined : String(key),
      labels: decideLabels(tool, value),
    })
  } catch (error) {
    return { kind: 'crash', error: errorToData(error) }
  }
}

/** Looks at the model's part of an input; the rest, and so the whole, is there once a person filled it in. */
async function preflightOfModel(tool: Tool, given: JsonObject, userFields: JsonObject): Promise<Preflight> {
  const { input: own, taken } = withoutUserFields(given, userFields)
  const { input, droppedKeys } = normalizeInput(tool.definition.inputSchema, own)
  try {
    const { issues = [] } = await tool['~internals'].input.validate(copyJson(input).value)
    const wrong = issuesOfModel(issues, userFields)
    if (wrong.length > 0) return { kind: 'invalid', issues: wrong }
    return { kind: 'fields', input, droppedKeys: [...taken, ...droppedKeys] }
  } catch (error) {
    return { kind: 'crash', error: errorToData(error) }
  }
}

/** The reasons to ask a person, or how the check ended the call. */
async function runCheck(
  options: ToolOptions,
  value: unknown,
  context: RunContext,
): Promise<string[] | Preflight> {
  try {
    await options.check?.(value, context)
    return []
  } catch (error) {
    const outcome = thrownOutcome(error)
    if (outcome.kind === 'deferred') return { kind: 'crash', error: errorToData(error) }
    return outcome.kind === 'approval' ? [outcome.reason] : outcome
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

function decideLabels(tool: Tool, value: unknown): ToolLabels {
  const { labels } = tool.definition
  if (areDecided(labels)) return labels
  return readLabels<ToolLabels>(tool['~internals'].options, (label, { accepts, strictest }, name) => {
    const decided = labels[name]
    if (decided !== 'by-input') return decided
    if (typeof label !== 'function') return strictest
    try {
      const answer = label(value)
      return accepts(answer) ? answer : strictest
    } catch {
      return strictest
    }
  })
}
