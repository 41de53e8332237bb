import { hasChatMarkup, withoutChatMarkup } from '../../tool/chat-markup.ts'
import { defined } from '../../tool/defined.ts'
import { type JsonObject, type JsonValue, joinPath } from '../../tool/json-value.ts'
import { isRecord, isStringList } from '../../tool/value-kinds.ts'
import { cutText } from '../cut-text.ts'
import { cleanPattern } from './clean-pattern.ts'
import { cleanText } from './clean-text.ts'
import type { DefinitionTexts } from './definition-texts.ts'
import { hiddenNames, withoutHidden } from './hidden-characters.ts'
import { noteText } from './note-text.ts'
import { SchemaRefusal } from './schema-refusal.ts'
import type { FlagList } from './tool-flag.ts'

/** What a schema is cleaned with. */
export interface SchemaCleaning {
  readonly flags: FlagList
  readonly maxDescriptionChars: number
  readonly texts: DefinitionTexts
  /** Gathers all that a model reads of the schema, to be looked through. */
  readonly read: string[]
  /** How many characters of patterns were looked at so far. */
  patternChars: number
}

const singles = [
  ...['items', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else', 'contains'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
]
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const maps = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
const data = ['const', 'enum', 'default', 'examples']
/** What is wrong with these is said where the schema is checked. */
const checkedLater = [
  ...['type', '$ref', 'multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minContains', 'maxContains'],
  ...['minProperties', 'maxProperties', '$dynamicRef', '$recursiveRef', '$anchor', '$dynamicAnchor'],
]
const booleans = ['uniqueItems', 'readOnly', 'writeOnly', 'deprecated']
const words = ['format', 'contentEncoding', 'contentMediaType']

type Clean = (value: JsonValue, path: string, cleaning: SchemaCleaning) => JsonValue | undefined
const known = new Map<string, Clean>([
  ...of(singles, cleanNode),
  ...of(lists, cleanList),
  ...of(maps, cleanMap),
  ...of(data, cleanData),
  ...of(checkedLater, (value) => value),
  ...of(booleans, (value) => (typeof value === 'boolean' ? value : undefined)),
  ...of(words, (value) => (typeof value === 'string' && /^[\w./+-]{1,64}$/.test(value) ? value : undefined)),
  ...of(['required'], readNames),
  ...of(['dependentRequired'], readNeeds),
])

function of(keys: readonly string[], clean: Clean): (readonly [string, Clean])[] {
  return keys.map((key) => [key, clean] as const)
}

const maxNameChars = 256
const maxValueChars = 1024
const maxTitleChars = 256

/**
 * A copy of a schema with the keywords of JSON Schema only, in the form of 2020-12, and with clean texts:
 * anything else in it would be read by a model, and by nobody else.
 *
 * @throws {@link SchemaRefusal} for what cannot be cleaned without becoming another schema.
 */
export function cleanSchema(schema: JsonObject, field: string, cleaning: SchemaCleaning): JsonObject {
  return cleanNode(schema, field, cleaning) as JsonObject
}

function cleanNode(given: JsonValue, path: string, cleaning: SchemaCleaning): JsonValue {
  if (Array.isArray(given)) return cleanList(given, path, cleaning)
  if (!isRecord(given)) return given
  const node = modern(given as JsonObject)
  const clean: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(node)) {
    const read = known.get(key)?.(value, joinPath(path, key), cleaning)
    if (read !== undefined) clean[key] = read
  }
  const title = cleanTextOf(node.title, joinPath(path, 'title'), maxTitleChars, cleaning)
  const place = joinPath(path, 'description')
  const description = cleanTextOf(node.description, place, cleaning.maxDescriptionChars, cleaning)
  const { pattern, saidInstead } = cleanPattern(node, path, cleaning)
  if (typeof node.pattern === 'string') cleaning.read.push(node.pattern)
  const all = [description, saidInstead].filter((text) => text !== '').join(' ')
  return defined({
    ...clean,
    pattern,
    title: title === '' ? undefined : title,
    description: all === '' ? undefined : all,
  })
}

/** In the words of 2020-12, what draft-07 and draft-04 say otherwise. */
function modern(node: JsonObject): JsonObject {
  const { items, additionalItems, dependencies, exclusiveMinimum, exclusiveMaximum, ...rest } = node
  const changed: Record<string, JsonValue> = {}
  if (Array.isArray(items)) {
    changed.prefixItems = items
    if (additionalItems !== undefined) changed.items = additionalItems
  } else if (items !== undefined) changed.items = items
  if (isRecord(dependencies)) {
    const all = Object.entries(dependencies as JsonObject)
    const [named, schemas] = [
      all.filter(([, needs]) => Array.isArray(needs)),
      all.filter(([, needs]) => !Array.isArray(needs)),
    ]
    if (named.length > 0)
      changed.dependentRequired = { ...Object(rest.dependentRequired), ...Object.fromEntries(named) }
    if (schemas.length > 0)
      changed.dependentSchemas = { ...Object(rest.dependentSchemas), ...Object.fromEntries(schemas) }
  }
  const bounds = [
    ['exclusiveMinimum', exclusiveMinimum, 'minimum'],
    ['exclusiveMaximum', exclusiveMaximum, 'maximum'],
  ] as const
  for (const [key, exclusive, bound] of bounds) {
    const value = exclusive === true ? rest[bound] : exclusive
    if (value !== undefined && value !== false) changed[key] = value
  }
  return { ...rest, ...changed }
}

function cleanList(list: JsonValue, path: string, cleaning: SchemaCleaning): JsonValue {
  if (!Array.isArray(list)) return list
  return list.map((item: JsonValue, index) => cleanNode(item, joinPath(path, index), cleaning))
}

function cleanMap(map: JsonValue, path: string, cleaning: SchemaCleaning): JsonValue {
  if (!isRecord(map)) return map
  const entries = Object.entries(map as JsonObject).map(([name, node]) => {
    readName(name, cleaning)
    return [name, cleanNode(node, joinPath(path, name), cleaning)] as const
  })
  return Object.fromEntries(entries)
}

// The server knows the parameter under no other name, so that it cannot be cleaned.
function readName(name: string, { texts, read }: SchemaCleaning): void {
  if (name.length > maxNameChars) throw new SchemaRefusal(texts.longSchemaName(name.length))
  const hidden = hiddenNames(name)
  if (hidden !== '') throw new SchemaRefusal(texts.hiddenInName(hidden))
  if (hasChatMarkup(name)) throw new SchemaRefusal(texts.markupInName)
  read.push(name)
}

function readNames(names: JsonValue, _path: string, cleaning: SchemaCleaning): JsonValue {
  if (isStringList(names)) for (const name of names) readName(name, cleaning)
  return names
}

function readNeeds(needs: JsonValue, path: string, cleaning: SchemaCleaning): JsonValue {
  const lists = isRecord(needs) ? Object.entries(needs) : [['', undefined] as const]
  for (const [name, needed] of lists) {
    if (!isStringList(needed)) throw new SchemaRefusal(cleaning.texts.wrongNeeds(path))
    for (const one of [name, ...needed]) readName(one, cleaning)
  }
  return needs
}

function cleanData(value: JsonValue, path: string, cleaning: SchemaCleaning): JsonValue {
  if (Array.isArray(value)) {
    return value.map((item: JsonValue, index) => cleanData(item, joinPath(path, index), cleaning))
  }
  if (isRecord(value)) {
    const entries = Object.entries(value as JsonObject).map(([name, member]) => {
      readName(name, cleaning)
      return [name, cleanData(member, joinPath(path, name), cleaning)] as const
    })
    return Object.fromEntries(entries)
  }
  return typeof value === 'string' ? cleanValue(value, path, cleaning) : value
}

function cleanValue(value: string, path: string, { flags, texts, read }: SchemaCleaning): string {
  const visible = withoutHidden(value)
  const plain = withoutChatMarkup(visible.text)
  const clean = cutText(plain, maxValueChars)
  read.push(clean)
  if (visible.hidden !== '') flags.add('changed-value', path, texts.changedValue(path, visible.hidden))
  else if (plain !== value) flags.add('changed-value', path, texts.markupInValue(path))
  else if (clean !== value) flags.add('changed-value', path, texts.longValue(path, maxValueChars))
  return clean
}

function cleanTextOf(raw: unknown, path: string, maxChars: number, cleaning: SchemaCleaning): string {
  if (typeof raw !== 'string') return ''
  const clean = cleanText(raw, maxChars, cleaning.texts)
  cleaning.read.push(clean.whole)
  noteText(clean, path, cleaning.flags, cleaning.texts)
  return clean.text
}
