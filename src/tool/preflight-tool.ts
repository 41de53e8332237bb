import type { Preflight } from './call-outcome.ts'
import { errorToData } from './error-data.ts'
import { copyJson, type JsonObject, type JsonValue } from './json-value.ts'
import { normalizeInput } from './normalize-input.ts'
import { labelRules } from './option-rules.ts'
import type { RunContext } from './run-context.ts'
import type { Tool } from './tool.ts'
import type { ToolLabels } from './tool-definition.ts'

/** A `needsApproval` function that is silent for longer counts as yes. In milliseconds. */
const approvalSilenceMs = 2_000

/** When a label function throws or gives no such label, the call is judged by the strictest there is. */
const strictestLabels: ToolLabels = {
  effect: 'destructive',
  egress: true,
  reads: 'private',
  externalContent: true,
}

/**
 * Looks at a call where the tool lives, before anything runs: keys and schema, the tool's own `check`,
 * whether a person must be asked, the concurrency key and the labels of this very input.
 */
export async function preflightTool(tool: Tool, rawInput: unknown, context: RunContext): Promise<Preflight> {
  const copied = copyJson(rawInput)
  if (copied.issues !== undefined) return { kind: 'invalid', issues: copied.issues }
  if (!isObject(copied.value))
    return { kind: 'invalid', issues: [{ path: '', message: 'expected an object' }] }
  const { input: schema, options } = tool['~internals']
  const { input, droppedKeys } = normalizeInput(schema.jsonSchema, copied.value)
  try {
    // A copy: what the tool's own functions do to their input must not change what the person sees.
    const checked = await schema.validate(copyJson(input).value)
    if (checked.issues !== undefined) return { kind: 'invalid', issues: checked.issues }
    const reasons = await runCheck(tool, checked.value, context)
    if (!Array.isArray(reasons)) return reasons
    const asked = reasons.length > 0 || (await needsApproval(tool, checked.value, context))
    const concurrencyKey = options.concurrencyKey?.(checked.value)
    return {
      kind: 'ready',
      input,
      droppedKeys,
      needsApproval: asked,
      reasons,
      ...(concurrencyKey === undefined ? {} : { concurrencyKey: String(concurrencyKey) }),
      labels: labelsFor(tool, checked.value),
    }
  } catch (error) {
    return { kind: 'crash', error: errorToData(error) }
  }
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The reasons to ask a person, or how the check ended the call. */
async function runCheck(tool: Tool, value: unknown, context: RunContext): Promise<string[] | Preflight> {
  try {
    await tool['~internals'].options.check?.(value, context)
    return []
  } catch (error) {
    const data = errorToData(error)
    if (data.name === 'ApprovalRequired') return [data.message]
    if (data.name === 'ModelRetry') return { kind: 'retry', message: data.message }
    if (data.name === 'ToolFailed') return { kind: 'failed', message: data.message }
    return { kind: 'crash', error: data }
  }
}

async function needsApproval(tool: Tool, value: unknown, context: RunContext): Promise<boolean> {
  const { needsApproval: rule } = tool['~internals'].options
  if (typeof rule !== 'function') return rule ?? false
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), approvalSilenceMs)
  })
  try {
    // Anything but a plain `false` asks: `undefined` is more likely a forgotten return than a no.
    return (await Promise.race([rule(value, context), silence])) !== false
  } catch {
    return true
  } finally {
    clearTimeout(timer)
  }
}

function labelsFor(tool: Tool, value: unknown): ToolLabels {
  const { effect, egress, reads, externalContent } = tool['~internals'].options
  return {
    effect: labelFor('effect', effect ?? 'local', value),
    egress: labelFor('egress', egress ?? false, value),
    reads: labelFor('reads', reads ?? 'public', value),
    externalContent: labelFor('externalContent', externalContent ?? false, value),
  }
}

function labelFor<Name extends keyof ToolLabels>(
  name: Name,
  label: ToolLabels[Name] | ((input: unknown) => ToolLabels[Name]),
  value: unknown,
): ToolLabels[Name] {
  if (typeof label !== 'function') return label
  try {
    const decided = label(value)
    return labelRules[name].accepts(decided) ? decided : strictestLabels[name]
  } catch {
    return strictestLabels[name]
  }
}
