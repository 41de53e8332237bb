import type { Preflight } from '../tool/call-outcome.ts'
import { copyJson, type JsonObject } from '../tool/json-value.ts'
import { normalizeInput } from '../tool/normalize-input.ts'
import { areDecided } from '../tool/option-rules.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import { isRecord } from '../tool/value-kinds.ts'

/**
 * What a preflight would answer for a valid input, made without the worker: the round trip costs more than
 * all the rest of a small call. Undefined when only the tool itself can tell whether a person must be asked,
 * or how the call is to be judged.
 */
export function uncheckedAnswer(definition: ToolDefinition, rawInput: unknown): Preflight | undefined {
  const { needsApproval, labels, inputSchema, userFields } = definition
  if (needsApproval !== false || userFields !== undefined || !areDecided(labels)) return undefined
  const copied = copyJson(rawInput)
  if (!isRecord(copied.value)) return undefined
  const { input, droppedKeys } = normalizeInput(inputSchema, copied.value as JsonObject)
  return { kind: 'ready', input, droppedKeys, needsApproval, reasons: [], labels, unchecked: true }
}
