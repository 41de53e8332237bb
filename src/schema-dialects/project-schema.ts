import type { JsonObject, JsonValue } from '../tool/json-value.ts'
import { asList, isRecord } from '../tool/value-kinds.ts'
import { definitionCodec } from './codecs.ts'
import type { Dialect } from './dialect.ts'
import type { DialectTexts } from './dialect-texts.ts'
import { alsoKey, isNever, type PlainNode } from './merge-nodes.ts'
import { withNull } from './nullable.ts'
import { fault, followed, plainNode } from './plain-node.ts'
import { projectArray } from './project-array.ts'
import { projectObject } from './project-object.ts'
import { isAboutShape, projectUnion, sayRules, unionOf } from './project-union.ts'
import { anyValue, boundsFor, projectEnum } from './project-values.ts'
import type { Projected } from './projected.ts'
import { lose, type Place, type Projecting, refuseStrict, say } from './projecting.ts'
import { recursiveTargets } from './recursive-targets.ts'
import { rootObject } from './root-object.ts'

/** So much is written of what references lead to; what comes then is cut. */
const maxNodes = 2_000
/** So often a schema is written inside itself, where references are not taken. */
const maxTurns = 3

const knownTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

/** A whole schema in a dialect, and the words that go into the tool's description. */
export interface ProjectedRoot extends Projected {
  readonly notes: readonly string[]
  readonly projecting: Projecting
}

/** Writes the schema of a tool's input in a dialect. */
export function projectSchema(root: JsonObject, dialect: Dialect, texts: DialectTexts): ProjectedRoot {
  const projecting: Projecting = {
    ...{ root, dialect, texts, report: [], refusals: [], recursive: recursiveTargets(root) },
    ...{ definitions: new Map(), open: [], outer: 0, nodes: 0 },
    part: (raw, path) => projectPart(raw, path, projecting),
  }
  const opened: unknown[] = []
  const place: Place = { path: '', notes: [], projecting }
  const node = rootObject(plainNode(root, root, '', opened), place)
  projecting.open = [root, ...opened]
  projecting.outer = projecting.open.length
  sayOthers(node, place)
  const { schema, codec } = projectObject(node, place)
  // Some refuse an object, and some templates fail on one, that says nothing of its keys.
  const keyed = { type: 'object', properties: {}, ...schema }
  const described = withAnnotations(keyed, node, { ...place, notes: [] })
  const definitions = [...projecting.definitions.values()].map(({ name, projected }) => [
    name,
    projected?.schema,
  ])
  const whole: JsonObject =
    definitions.length === 0 ? described : { ...described, $defs: Object.fromEntries(definitions) }
  return { schema: whole, codec, notes: place.notes, projecting }
}

function projectPart(raw: unknown, path: string, projecting: Projecting): Projected {
  const { root, dialect, recursive, open } = projecting
  const place: Place = { path, notes: [], projecting }
  const target = isRecord(raw) && isMereReference(raw) ? followed(raw.$ref, root, path) : undefined
  if (target !== undefined && recursive.has(target)) {
    if (dialect.isStrict && !dialect.takesReferences) refuseStrict(place, 'contains itself')
    else if (dialect.takesReferences) return toDefinition(target, raw as JsonObject, path, projecting)
  }
  const opened: unknown[] = []
  const node = plainNode(raw, root, path, opened)
  // The schema itself may be as large as it is; references may double it again and again.
  const isInlined = opened.length > 0 || open.length > projecting.outer
  if (isInlined) projecting.nodes += 1
  const isTooDeep = opened.some((one) => open.filter((other) => other === one).length >= maxTurns)
  if (isTooDeep || (isInlined && projecting.nodes > maxNodes)) return cut(node, place, isTooDeep)
  projecting.open = [...open, ...opened]
  const projected = projectNode(node, place)
  projecting.open = open
  return projected
}

function isMereReference(raw: Record<string, unknown>): boolean {
  return (
    raw.$ref !== undefined &&
    Object.keys(raw).every((key) => /^(\$ref|\$comment|title|description|default)$/.test(key))
  )
}

function toDefinition(target: unknown, raw: JsonObject, path: string, projecting: Projecting): Projected {
  const { definitions, dialect } = projecting
  let definition = definitions.get(target)
  if (definition === undefined) {
    const last = String(raw.$ref).split('/').at(-1)?.replace(/\W/g, '_') || 'root'
    const isTaken = [...definitions.values()].some(({ name }) => name === last)
    definition = { name: isTaken ? `${last}_${definitions.size + 1}` : last }
    definitions.set(target, definition)
    const { open, outer } = projecting
    Object.assign(projecting, { open: [], outer: 0 })
    definition.projected = projectPart(target, path, projecting)
    Object.assign(projecting, { open, outer })
  }
  const { description } = raw
  const isDescribed = typeof description === 'string' && !dialect.isStrict
  return {
    schema: { ...(isDescribed && { description }), $ref: `#/$defs/${definition.name}` },
    codec: definitionCodec(definition),
  }
}

/** What is left of a node that goes on for ever, or for too long. */
function cut(node: PlainNode, place: Place, isTooDeep: boolean): Projected {
  if (place.projecting.dialect.isStrict) refuseStrict(place, 'contains itself, or is too large')
  const [type = 'object'] = typesOf(node, place.path)
  const plain: PlainNode = { type, ...(node.description !== undefined && { description: node.description }) }
  say(place, 'nested', '', isTooDeep ? 'a schema within itself' : 'a schema that is too large')
  return projectNode(plain, place)
}

/** A node in the dialect, with its words in the description. */
function projectNode(node: PlainNode, place: Place): Projected {
  const union = unionOf(node)
  if (union !== undefined && !isAboutShape(union.branches)) {
    sayRules(union, place)
    return projectNode(union.rest, place)
  }
  const { schema, codec } = union === undefined ? projectTyped(node, place) : projectUnion(union, place)
  sayOthers(union?.rest ?? node, place)
  return { schema: withAnnotations(schema, node, place), codec }
}

function projectTyped(node: PlainNode, place: Place): Projected {
  const { dialect } = place.projecting
  if (isNever(node)) {
    say(place, 'refused', '', 'a schema that no value fits')
    return { schema: { type: 'string' } }
  }
  const types = typesOf(node, place.path)
  if (Array.isArray(node.enum)) return { schema: projectEnum(node.enum as JsonValue[], types, place) }
  const others = types.filter((type) => type !== 'null')
  const isNullable = others.length < types.length
  if (types.length === 0) return { schema: anyValue(place) }
  const [first, ...more] = others
  if (first === undefined) return nothing(place)
  if (more.length > 0 && !(dialect.takesUntyped && others.every(isScalar))) {
    return projectUnion(
      { keyword: 'anyOf', branches: types.map((type) => ({ type })), rest: without(node, 'type') },
      place,
    )
  }
  if (more.length > 0) {
    const bounds = Object.assign({}, ...others.map((type) => boundsFor(type, node, place)))
    return { schema: { type: types, ...bounds } }
  }
  const { schema, codec } = ofType(first, node, place)
  return { schema: isNullable ? withNull(schema, dialect) : schema, codec }
}

function ofType(type: string, node: PlainNode, place: Place): Projected {
  if (type === 'object') return projectObject(node, place)
  if (type === 'array') return projectArray(node, place)
  return { schema: { type, ...boundsFor(type, node, place) } }
}

function nothing(place: Place): Projected {
  if (place.projecting.dialect.nulls !== 'nullable') return { schema: { type: 'null' } }
  // There is no type for it; it is the only value that fits.
  say(place, 'enum', 'null', 'the type null')
  return { schema: { type: 'string', nullable: true } }
}

function isScalar(type: string): boolean {
  return type !== 'object' && type !== 'array'
}

function without(node: PlainNode, key: string): PlainNode {
  return Object.fromEntries(Object.entries(node).filter(([name]) => name !== key))
}

const typicalKeywords: readonly (readonly [type: string, keywords: RegExp])[] = [
  [
    'object',
    /^(properties|required|additionalProperties|patternProperties|propertyNames|(min|max)Properties)$/,
  ],
  ['array', /^(items|prefixItems|contains|(min|max)Items|uniqueItems)$/],
  ['string', /^((min|max)Length|pattern|format)$/],
  ['number', /^(minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf)$/],
]

/** The types of a node; without any, the one that its keywords are about. */
function typesOf(node: PlainNode, path: string): readonly string[] {
  const { type } = node
  if (type !== undefined) {
    const types = [type].flat().map(String)
    const strange = types.find((name) => !knownTypes.includes(name))
    if (strange !== undefined) throw fault(path, `"${strange}" is no type of JSON Schema`)
    return types.includes('number') ? types.filter((name) => name !== 'integer') : types
  }
  if (node.enum !== undefined) return []
  const keys = Object.keys(node)
  const found = typicalKeywords.find(([, keywords]) => keys.some((key) => keywords.test(key)))
  return found === undefined ? [] : [found[0]]
}

/** Rules that no copy has: they are told. */
function sayOthers(node: PlainNode, place: Place): void {
  const { not, dependentRequired, dependentSchemas } = node
  if (not !== undefined && !isNever(node)) say(place, 'not', not, 'not')
  if (node.if !== undefined) {
    const { if: condition, then: then_, else: otherwise } = node
    say(
      place,
      'condition',
      Object.fromEntries([
        ['if', condition],
        ['then', then_],
        ['else', otherwise],
      ]),
      'if',
    )
  }
  if (dependentRequired !== undefined) say(place, 'condition', { dependentRequired }, 'dependentRequired')
  if (dependentSchemas !== undefined) say(place, 'condition', { dependentSchemas }, 'dependentSchemas')
  for (const rule of asList(node[alsoKey])) say(place, 'matches', rule, Object.keys(Object(rule)).join(', '))
}

function withAnnotations(schema: JsonObject, node: PlainNode, place: Place): JsonObject {
  const { dialect } = place.projecting
  const { title, description, default: fallback, examples } = node
  const kept: Record<string, JsonValue> = {}
  for (const [keyword, value] of Object.entries({ default: fallback, examples })) {
    if (value === undefined) continue
    if (dialect.keeps(keyword, value)) kept[keyword] = value as JsonValue
    else if (keyword === 'default') say(place, 'default', JSON.stringify(value), keyword)
    else lose(place, keyword, 'left out')
  }
  const own = typeof schema.description === 'string' ? schema.description : undefined
  const texts = [typeof description === 'string' ? description : own, ...place.notes]
  const text = texts.filter((part) => part !== undefined && part !== '').join(' ')
  const { description: _own, ...rest } = schema
  return {
    ...(typeof title === 'string' && { title }),
    ...(text !== '' && { description: text }),
    ...rest,
    ...kept,
  }
}
