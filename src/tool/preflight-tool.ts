import type { Preflight } from './call-outcome.ts'
import { defined } from './defined.ts'
import { errorToData } from './error-data.ts'
import { copyJson, isRecord, type JsonObject } from './json-value.ts'
import { normalizeInput } from './normalize-input.ts'
import { readLabels } from './option-rules.ts'
import type { RunContext } from './run-context.ts'
import { thrownOutcome } from './thrown-outcome.ts'
import { within } from './time-limit.ts'
import type { Tool } from './tool.ts'
import type { ToolLabels } from './tool-definition.ts'
import type { ToolOptions } from './tool-options.ts'

/** A `needsApproval` function that is silent for longer counts as yes. In milliseconds. */
const approvalSilenceMs = 2_000

/**
 * Looks at a call where the tool lives, before anything runs: keys and schema, the tool's own `check`,
 * whether a person must be asked, the concurrency key and the labels of this very input.
 */
export async function preflightTool(tool: Tool, rawInput: unknown, context: RunContext): Promise<Preflight> {
  const { value: copied, issues } = copyJson(rawInput)
  if (issues !== undefined) return { kind: 'invalid', issues }
  if (!isRecord(copied)) return { kind: 'invalid', issues: [{ path: '', message: 'expected an object' }] }
  const { input: schema, options } = tool['~internals']
  const { input, droppedKeys } = normalizeInput(schema.jsonSchema, copied as JsonObject)
  try {
    // A copy: what the tool's own functions do to their input must not change what the person sees.
    const { value, issues } = await schema.validate(copyJson(input).value)
    if (issues !== undefined) return { kind: 'invalid', issues }
    const reasons = await runCheck(options, value, context)
    if (!Array.isArray(reasons)) return reasons
    const asked = reasons.length > 0 || (await needsApproval(options, value, context))
    const key = options.concurrencyKey?.(value)
    return defined({
      kind: 'ready' as const,
      input,
      droppedKeys,
      needsApproval: asked,
      reasons,
      concurrencyKey: key === undefined ? undefined : String(key),
      labels: decideLabels(options, value),
    })
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
    return outcome.kind === 'approval' ? [outcome.reason] : outcome
  }
}

async function needsApproval(options: ToolOptions, value: unknown, context: RunContext): Promise<boolean> {
  const { needsApproval: rule = false } = options
  if (typeof rule !== 'function') return rule
  try {
    // Anything but a plain `false` asks: `undefined` is more likely a forgotten return than a no.
    return (await within(Promise.resolve(rule(value, context)), approvalSilenceMs, true)) !== false
  } catch {
    return true
  }
}

function decideLabels(options: ToolOptions, value: unknown): ToolLabels {
  return readLabels<ToolLabels>(options, (label, { accepts, strictest }) => {
    if (typeof label !== 'function') return label
    try {
      const decided = label(value)
      return accepts(decided) ? decided : strictest
    } catch {
      return strictest
    }
  })
}
