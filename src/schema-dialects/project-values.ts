import type { JsonObject, JsonValue } from '../tool/json-value.ts'
import { isObject } from '../tool/value-kinds.ts'
import type { DialectWord } from './dialect-texts.ts'
import type { PlainNode } from './merge-nodes.ts'
import { withNull } from './nullable.ts'
import { briefJson, lose, type Place, refuseStrict, say } from './projecting.ts'

const boundsOf: Readonly<Record<string, readonly DialectWord[]>> = {
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  string: ['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType'],
  array: ['minItems', 'maxItems', 'uniqueItems'],
  object: ['minProperties', 'maxProperties'],
}

/** The keywords that bound a value of a type: as they are where the dialect has them, else in words. */
export function boundsFor(type: string, node: PlainNode, place: Place): Record<string, JsonValue> {
  const { dialect } = place.projecting
  const kept: Record<string, JsonValue> = {}
  for (const keyword of boundsOf[type === 'integer' ? 'number' : type] ?? []) {
    const value = node[keyword]
    if (value === undefined || value === false) continue
    if (dialect.keeps(keyword, value)) kept[keyword] = value as JsonValue
    else if (!asWholeBound(type, keyword, Number(value), node, place, kept)) {
      say(place, keyword, value, keyword)
    }
  }
  return kept
}

/** Of whole numbers, those above 3 are those from 4 on. */
function asWholeBound(
  type: string,
  keyword: string,
  value: number,
  node: PlainNode,
  place: Place,
  kept: Record<string, JsonValue>,
): boolean {
  const [plain, step] = keyword === 'exclusiveMinimum' ? ['minimum', 1] : ['maximum', -1]
  const isExclusive = keyword.startsWith('exclusive') && type === 'integer' && Number.isInteger(value)
  if (!isExclusive || node[plain as string] !== undefined) return false
  if (!place.projecting.dialect.keeps(plain as string, value + Number(step))) return false
  kept[plain as string] = value + Number(step)
  lose(place, keyword, `${plain}: ${value + Number(step)}`)
  return true
}

/** A value that is one of a list. */
export function projectEnum(
  values: readonly JsonValue[],
  types: readonly string[],
  place: Place,
): JsonObject {
  const { dialect } = place.projecting
  const fitting = values.filter((value) => types.length === 0 || types.some((type) => isOfType(value, type)))
  const others = fitting.filter((value) => value !== null)
  const kinds = [...new Set(others.map(kindOf))]
  const schemas = kinds.map((kind) =>
    enumOfKind(
      kind,
      others.filter((value) => kindOf(value) === kind),
      place,
    ),
  )
  const [first = { type: 'null' }, ...more] = schemas
  if (fitting.length === 0) {
    say(place, 'refused', '', 'enum')
    return { type: 'string' }
  }
  const isMixed = more.length > 0
  if (isMixed && dialect.takesUntyped) return { enum: fitting }
  const schema = isMixed ? { anyOf: schemas } : first
  return fitting.length === others.length ? schema : withNull(schema, dialect)
}

function enumOfKind(kind: string, values: readonly JsonValue[], place: Place): JsonObject {
  const { dialect } = place.projecting
  if (kind === 'string' && (!dialect.textEnums || !values.includes(''))) return { type: kind, enum: values }
  if (kind === 'string') {
    // Gemini: "enum[0]: cannot be empty".

    say(place, 'enum', listed(values), 'an empty text in enum')
    return { type: kind }
  }
  if (dialect.textEnums) {
    say(place, 'enum', listed(values), 'enum of what is no text')
    return kind === 'array' ? { type: kind, items: anyValue(place) } : { type: kind }
  }
  if (kind !== 'object' && kind !== 'array') return { type: kind, enum: values }
  if (dialect.isStrict) refuseStrict(place, `is one of a list of ${kind}s`)
  return { enum: values }
}

/** A value of which nothing is known. */
export function anyValue(place: Place): JsonObject {
  const { dialect, texts } = place.projecting
  if (dialect.takesUntyped) return {}
  if (dialect.isStrict) refuseStrict(place, 'may be any value')
  const scalars: JsonValue[] = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }]
  lose(place, 'a value of any type', 'a union of types')
  return withNull({ description: texts.anyValue(''), anyOf: [...scalars, { type: 'object' }] }, dialect)
}

function listed(values: readonly JsonValue[]): string {
  return values.map(briefJson).join(', ')
}

function kindOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return isObject(value) ? 'object' : typeof value
}

function isOfType(value: JsonValue, type: string): boolean {
  if (value === null) return type === 'null'
  const kind = kindOf(value)
  return kind === type || (kind === 'integer' && type === 'number')
}
