import type { Preflight } from './call-outcome.ts'
import { errorToData } from './error-data.ts'
import { copyJson, type JsonObject, type JsonValue } from './json-value.ts'
import { normalizeInput } from './normalize-input.ts'
import type { RunContext } from './run-context.ts'
import type { Tool } from './tool.ts'
import type { ToolLabels } from './tool-definition.ts'

/** A `needsApproval` function that is silent for longer counts as yes. In milliseconds. */
const approvalSilenceMs = 2_000

/** When a label function throws, the call is judged by the strictest labels there are. */
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
    const checked = await schema.validate(input)
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
  try {
    return {
      effect: typeof effect === 'function' ? effect(value) : (effect ?? 'local'),
      egress: typeof egress === 'function' ? egress(value) : (egress ?? false),
      reads: typeof reads === 'function' ? reads(value) : (reads ?? 'public'),
      externalContent:
        typeof externalContent === 'function' ? externalContent(value) : (externalContent ?? false),
    }
  } catch {
    return strictestLabels
  }
}
