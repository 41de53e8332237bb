import { defined } from '../../tool/defined.ts'
import { isRecord, isStringList, type JsonObject, type JsonValue, joinPath } from '../../tool/json-value.ts'
import { cleanPattern } from './clean-pattern.ts'
import { cleanText } from './clean-text.ts'
import { hiddenNames, withoutHidden } from './hidden-characters.ts'
import { noteText } from './note-text.ts'
import { SchemaRefusal } from './schema-refusal.ts'
import type { FlagList } from './tool-flag.ts'

/** What a schema is cleaned with. */
export interface SchemaCleaning {
  readonly flags: FlagList
  readonly maxDescriptionChars: number
  /** Gathers the texts that a model reads, to be looked through. */
  readonly texts: string[]
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
  ...of(['required'], checkNames),
  ...of(['dependentRequired'], checkNeeds),
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
    checkName(name)
    cleaning.texts.push(name)
    return [name, cleanNode(node, joinPath(path, name), cleaning)] as const
  })
  return Object.fromEntries(entries)
}

// The server knows the parameter under no other name, so that it cannot be cleaned.
function checkName(name: string): void {
  const hidden = hiddenNames(name)
  if (hidden !== '') throw new SchemaRefusal(`has a name with characters that cannot be seen (${hidden})`)
  if (name.length > maxNameChars) throw new SchemaRefusal(`has a name of ${name.length} characters`)
}

function checkNames(names: JsonValue): JsonValue {
  if (isStringList(names)) names.forEach(checkName)
  return names
}

function checkNeeds(needs: JsonValue, path: string): JsonValue {
  if (!isRecord(needs)) throw new SchemaRefusal(`is wrong at "${path}": expected an object of lists of names`)
  for (const [name, needed] of Object.entries(needs)) {
    checkName(name)
    if (!isStringList(needed)) throw new SchemaRefusal(`is wrong at "${path}": expected lists of names`)
    needed.forEach(checkName)
  }
  return needs as JsonObject
}

function cleanData(value: JsonValue, path: string, cleaning: SchemaCleaning): JsonValue {
  if (Array.isArray(value)) {
    return value.map((item: JsonValue, index) => cleanData(item, joinPath(path, index), cleaning))
  }
  if (isRecord(value)) {
    const entries = Object.entries(value as JsonObject).map(([name, member]) => {
      checkName(name)
      return [name, cleanData(member, joinPath(path, name), cleaning)] as const
    })
    return Object.fromEntries(entries)
  }
  if (typeof value !== 'string') return value
  const clean = cut(withoutHidden(value).text, maxValueChars)
  cleaning.texts.push(clean)
  if (clean !== value) {
    const what = hiddenNames(value) || `more than ${maxValueChars} characters`
    cleaning.flags.add(
      'changed-value',
      path,
      `A value in ${path} was changed before a model sees it: it held ${what}.`,
    )
  }
  return clean
}

function cut(text: string, length: number): string {
  return text.length > length ? text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '') : text
}

function cleanTextOf(raw: unknown, path: string, maxChars: number, cleaning: SchemaCleaning): string {
  if (typeof raw !== 'string') return ''
  const clean = cleanText(raw, maxChars)
  cleaning.texts.push(clean.whole)
  noteText(clean, path, cleaning.flags)
  return clean.text
}
