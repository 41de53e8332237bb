import type { JsonObject, JsonValue } from '../tool/json-value.ts'
import { asList, isRecord } from '../tool/value-kinds.ts'
import { unionCodec } from './codecs.ts'
import { isNever, mergeNodes, type PlainNode } from './merge-nodes.ts'
import { admitsNull, withNull } from './nullable.ts'
import { plainNode } from './plain-node.ts'
import type { Projected } from './projected.ts'
import { briefJson, lose, type Place, say } from './projecting.ts'
import { wireKeys } from './wire-words.ts'

/** The `anyOf` or `oneOf` of a node, and the node without it. */
export interface Union {
  readonly keyword: 'anyOf' | 'oneOf'
  readonly branches: readonly unknown[]
  readonly rest: PlainNode
}

/** The union of a node, if it has one. Of two, the second becomes a rule. */
export function unionOf(node: PlainNode): Union | undefined {
  const { anyOf, oneOf, ...rest } = node
  if (Array.isArray(anyOf)) {
    const also = oneOf === undefined ? {} : mergeNodes({ '~also': [{ oneOf }] }, rest)
    return { keyword: 'anyOf', branches: anyOf, rest: { ...rest, ...also } }
  }
  return Array.isArray(oneOf) ? { keyword: 'oneOf', branches: oneOf, rest } : undefined
}

const rules = new Set(['required', 'not', 'if', 'then', 'else', 'title', 'description', '$comment'])
const aboutAll = new Set([
  'title',
  'description',
  'default',
  'examples',
  '~also',
  'not',
  'if',
  'then',
  'else',
])

/** Whether branches say what a value is; else they are rules for one that is described beside them. */
export function isAboutShape(branches: readonly unknown[]): boolean {
  return branches.every((branch) => !isRecord(branch) || Object.keys(branch).some((key) => !rules.has(key)))
}

/** Tells rules in words. Of keys that must be there: which. */
export function sayRules({ keyword, branches, rest }: Union, place: Place): void {
  const groups = branches.map((branch) => asList(Object(branch).required).map(String))
  const isPlain = branches.every((branch) => Object.keys(Object(branch)).every((key) => key === 'required'))
  const words = keyword === 'anyOf' ? 'anyRequired' : 'oneRequired'
  if (!isPlain || groups.some((keys) => keys.length === 0)) {
    say(place, 'matches', { [keyword]: branches }, keyword)
    return
  }
  const names = wireKeys(Object.keys(Object(rest.properties)), place.projecting.dialect.keys)
  const sent = groups.map((keys) => keys.map((key) => names.get(key) ?? key).join(' + '))
  say(place, words, sent.join('; '), keyword)
}

/** A value that is one of several. */
export function projectUnion({ keyword, branches: given, rest }: Union, place: Place): Projected {
  const { root, part, definitions } = place.projecting
  const shape = Object.fromEntries(Object.entries(rest).filter(([key]) => !aboutAll.has(key)))
  // What is said beside the union holds for each branch.
  const whole = (branch: unknown) => (Object.keys(shape).length === 0 ? branch : { allOf: [branch, shape] })
  const all = given.map(whole).map((raw) => ({ raw, node: plainNode(raw, root, place.path, []) }))
  const possible = all.filter(({ node }) => !isNever(node))
  const written = possible.filter(({ node }) => !isNull(node)).map(({ raw }) => part(raw, place.path))
  const branches = distinct(written.flatMap(flattened))
  const schema = joined(branches, keyword, place)
  const find = (name: string) =>
    [...definitions.values()].find((definition) => definition.name === name)?.projected?.schema
  return {
    schema: possible.some(({ node }) => isNull(node)) ? withNullBranch(schema, place) : schema,
    codec: unionCodec(branches, find),
  }
}

function isNull({ type, enum: values }: PlainNode): boolean {
  return type === 'null' || (Array.isArray(values) && values.every((value) => value === null))
}

function withNullBranch(schema: JsonObject, place: Place): JsonObject {
  const { dialect } = place.projecting
  if (dialect.nulls !== 'nullable' && !admitsNull(schema)) {
    const { anyOf } = schema
    return { anyOf: [...(Array.isArray(anyOf) ? (anyOf as JsonValue[]) : [schema]), { type: 'null' }] }
  }
  return withNull(schema, dialect)
}

/** The branches of a union that is nothing else. */
function flattened(one: Projected): readonly Projected[] {
  const { anyOf } = one.schema
  const isBare = one.codec === undefined && Object.keys(one.schema).length === 1
  return isBare && Array.isArray(anyOf) ? anyOf.map((schema) => ({ schema: schema as JsonObject })) : [one]
}

function distinct(branches: readonly Projected[]): readonly Projected[] {
  return [...new Map(branches.map((branch) => [JSON.stringify(branch.schema), branch])).values()]
}

function joined(branches: readonly Projected[], keyword: Union['keyword'], place: Place): JsonObject {
  const [first, ...more] = branches
  if (first === undefined) return { type: place.projecting.dialect.nulls === 'nullable' ? 'string' : 'null' }
  if (more.length === 0) return first.schema
  const schemas = branches.map(({ schema }) => schema)
  const list = oneList(schemas)
  if (list !== undefined) return list
  if (keyword === 'oneOf' && place.projecting.dialect.takesOneOf) return { oneOf: schemas }
  if (keyword === 'oneOf') lose(place, 'oneOf', 'anyOf')
  return { anyOf: schemas }
}

/** Lists of values of one type are one list. */
function oneList(schemas: readonly JsonObject[]): JsonObject | undefined {
  const [{ type }] = schemas as [JsonObject]
  const isList = (schema: JsonObject) =>
    schema.type === type && Array.isArray(schema.enum) && Object.keys(schema).length === 2
  if (typeof type !== 'string' || !schemas.every(isList)) return undefined
  return { type, enum: [...new Set(schemas.flatMap(({ enum: values }) => values as JsonValue[]))] }
}

/** Branches in few words, for a union that cannot be written. */
export function waysText(branches: readonly PlainNode[], place: Place): string {
  const ways = branches.map(({ properties, required }) => {
    const names = wireKeys(Object.keys(Object(properties)), place.projecting.dialect.keys)
    const keys = asList(required).map((key) => {
      const { enum: values, const: constant } = Object(Object(properties)[String(key)])
      const value = constant ?? (asList(values).length === 1 ? asList(values)[0] : undefined)
      const name = names.get(String(key)) ?? String(key)
      return value === undefined ? name : `${name} = ${briefJson(value)}`
    })
    return keys.join(' + ') || '{}'
  })
  return ways.map((way, index) => `(${index + 1}) ${way}`).join(' ')
}
