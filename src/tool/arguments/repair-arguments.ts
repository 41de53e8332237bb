import { copyJson, type JsonObject } from '../json-value.ts'
import { isRecord } from '../value-kinds.ts'
import type { ArgumentRepair } from './argument-repair.ts'
import { type Fitting, fitToSchema } from './fit-to-schema.ts'
import { parseText } from './parse-text.ts'
import type { ArgumentTarget, ReadArguments } from './read-arguments.ts'
import { requiredKeys, takesKeys } from './takes-keys.ts'
import { unwrap } from './unwrap.ts'

/** The whole of `readArguments`, rule by rule, for arguments that are not plainly what the tool wants. */
export function repairArguments(raw: unknown, target: ArgumentTarget): ReadArguments {
  const { inputSchema } = target
  const parsed =
    typeof raw === 'string' ? parseText(raw, (value) => takesKeys(inputSchema, value)) : { value: raw }
  if ('fault' in parsed) return parsed
  const { value, repaired, mark } = parsed
  if (isNothing(value)) return noArguments(inputSchema)
  if (!isRecord(value)) return { fault: 'not-an-object' }
  const copied = copyJson(value)
  if (copied.issues !== undefined) return copied
  return fitInput(copied.value as JsonObject, repaired === undefined ? [] : [repaired], target, mark)
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}

function noArguments(inputSchema: JsonObject): ReadArguments {
  const required = requiredKeys(inputSchema)
  if (required.length === 0) return { input: {}, repaired: ['empty'] }
  return { issues: required.map((path) => ({ path, message: 'is required, and no arguments were sent' })) }
}

function fitInput(
  input: JsonObject,
  repairs: readonly ArgumentRepair[],
  { names, inputSchema }: ArgumentTarget,
  mark: string | undefined,
): ReadArguments {
  const inner = unwrap(input, inputSchema, names)
  if (inner === undefined) {
    return { issues: [{ path: '', message: 'send the arguments alone, not inside of { name, arguments }' }] }
  }
  const repaired = new Set<ArgumentRepair>(inner === input ? repairs : [...repairs, 'wrapper'])
  const fitting: Fitting = { root: inputSchema, mark, repaired, issues: [], types: new Map() }
  const fitted = fitToSchema(inner, fitting)
  if (fitting.issues.length > 0) return { issues: fitting.issues, input: fitted }
  // How deep the JSON in a string is nested was not counted with what is round it.
  const deep = repaired.has('json-string') ? copyJson(fitted).issues : undefined
  return deep === undefined ? { input: fitted, repaired: [...repaired] } : { issues: deep }
}
