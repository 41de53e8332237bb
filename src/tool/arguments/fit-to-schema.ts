import { copyJson, type JsonObject, type JsonValue, joinPath, type ToolIssue } from '../json-value.ts'
import {
  certain,
  itemSpeakers,
  memberSpeakers,
  type Speaker,
  type Speakers,
  speakersFor,
} from '../schema-speakers.ts'
import { propertiesOf } from '../union-branches.ts'
import { asList } from '../value-kinds.ts'
import { admittedTypes, anyType, bitsOf, typeBits } from './admitted-types.ts'
import type { ArgumentRepair } from './argument-repair.ts'
import { isBigInteger, parseJson } from './parse-json.ts'

/** What fitting an input to its schema found out. */
export interface Fitting {
  readonly root: JsonObject
  /** What strings begin with that stand for integers too big to be numbers; set by the first text that holds one. */
  mark: string | undefined
  readonly repaired: Set<ArgumentRepair>
  readonly issues: ToolIssue[]
  readonly types: Map<unknown, number>
}

/**
 * Brings the values of an input to the types that the schema wants, where what the model meant is beyond doubt.
 * Only what surely applies counts: nothing is touched by a branch of a union that may not be the one.
 */
export function fitToSchema(input: JsonObject, fitting: Fitting): JsonObject {
  return fitValue([[fitting.root, certain]], input, '', fitting) as JsonObject
}

function fitValue(about: readonly Speaker[], value: JsonValue, path: string, fitting: Fitting): JsonValue {
  const sure = about.filter(([, role]) => role === certain)
  const types = typesOf(sure, fitting)
  const fitted = typeof value === 'string' ? fitString(value, types, path, fitting) : value
  checkScalar(fitted, types, path, fitting)
  if (typeof fitted !== 'object' || fitted === null) return fitted
  const speakers = speakersFor(sure, fitted, fitting.root)
  return isList(fitted)
    ? fitted.map((item, index) =>
        fitValue(itemSpeakers(speakers, index), item, joinPath(path, index), fitting),
      )
    : fitMembers(speakers, fitted, path, fitting)
}

function typesOf(about: readonly Speaker[], { root, types }: Fitting): number {
  return about.reduce((sum, [schema]) => sum & admittedTypes(schema, root, types), anyType)
}

function fitMembers(speakers: Speakers, value: JsonObject, path: string, fitting: Fitting): JsonObject {
  const result: Record<string, JsonValue> = {}
  for (const [key, member] of Object.entries(value)) {
    if (member === null && isAbsent(key, speakers, fitting)) fitting.repaired.add('null')
    else result[key] = fitValue(memberSpeakers(speakers, key), member, joinPath(path, key), fitting)
  }
  return result
}

/** Whether `null` can only mean that an optional field is not there. */
function isAbsent(key: string, { speakers }: Speakers, fitting: Fitting): boolean {
  const sure = new Map([...speakers].filter(([, role]) => role === certain))
  const nodes = [...sure.keys()]
  const isField = nodes.some((node) => Object.hasOwn(propertiesOf(node), key))
  const isRequired = nodes.some((node) => asList(node.required).includes(key))
  if (!isField || isRequired) return false
  const about = memberSpeakers({ speakers: sure, dropUnknown: false }, key)
  return (typesOf(about, fitting) & typeBits.null) === 0
}

function fitString(value: string, types: number, path: string, fitting: Fitting): JsonValue {
  const { mark, repaired, issues } = fitting
  if (mark !== undefined && value.startsWith(mark)) {
    const digits = value.slice(mark.length)
    if (types & typeBits.string) repaired.add('big-integer')
    else issues.push({ path, message: tooBig(digits) })
    return digits
  }
  if (types & typeBits.string) return value
  return (
    asNumber(value, types, repaired) ?? asBoolean(value, types, repaired) ?? asJson(value, types, fitting)
  )
}

function asNumber(value: string, types: number, repaired: Set<ArgumentRepair>): number | undefined {
  if (!(types & typeBits.number) || !/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(value)) return undefined
  const number = Number(value)
  if (!Number.isFinite(number) || isBigInteger(value) || !(types & bitsOf(number))) return undefined
  repaired.add('number')
  return number + 0
}

function asBoolean(value: string, types: number, repaired: Set<ArgumentRepair>): boolean | undefined {
  if (!(types & typeBits.boolean) || !/^(true|false)$/i.test(value)) return undefined
  repaired.add('boolean')
  return value.length === 4
}

/** A list or an object that came as its JSON text. One that is not whole stays the string it is. */
function asJson(value: string, types: number, fitting: Fitting): JsonValue {
  const wanted = types & (typeBits.array | typeBits.object)
  if (wanted === 0) return value
  try {
    const parsed = parseJson(value, fitting.mark)
    const copied = copyJson(parsed.value)
    if (copied.issues !== undefined || !(wanted & bitsOf(copied.value))) return value
    fitting.mark ??= parsed.mark
    fitting.repaired.add('json-string')
    return copied.value
  } catch {
    return value
  }
}

// A validator that takes anything for a boolean must not be asked: "no" would be true.
function checkScalar(value: JsonValue, types: number, path: string, { issues }: Fitting): void {
  const isScalar = typeof value === 'string' || typeof value === 'number'
  if (isScalar && (types | typeBits.null) === (typeBits.boolean | typeBits.null)) {
    issues.push({ path, message: `expected true or false, got ${JSON.stringify(value).slice(0, 40)}` })
  }
  const isWhole = (types & typeBits.number) === typeBits.integer && !(types & typeBits.string)
  if (isWhole && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    issues.push({ path, message: tooBig(String(value)) })
  }
}

function tooBig(digits: string): string {
  return `${digits.slice(0, 40)} is beyond 2^53 and would be rounded; send it as a string`
}

function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value)
}
