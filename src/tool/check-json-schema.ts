import { ToolRegistrationError } from './errors.ts'
import { type JsonObject, joinPath } from './json-value.ts'
import { isRecord, isStringList } from './value-kinds.ts'

const typeNames = new Set<unknown>(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'])
const schemaLists = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const schemaMaps = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
const singleSchemas = [
  ...['items', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else', 'contains'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
]
const numbers = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minContains', 'maxContains'],
  ...['minProperties', 'maxProperties'],
]
/** Keywords that the validator skips, or that change what its references mean. */
const unsupported = ['$dynamicRef', '$recursiveRef', '$anchor', '$dynamicAnchor']

/**
 * Throws a {@link ToolRegistrationError} that names the path of the first thing that is wrong with a JSON
 * Schema: a type that does not exist, a `$ref` that leads nowhere, a pattern that does not compile. A
 * validator would ignore most of these, and a tool would then run unchecked.
 */
export function checkJsonSchema(schema: JsonObject): void {
  checkNode(schema, '', schema)
}

function checkNode(node: unknown, path: string, root: JsonObject): void {
  if (typeof node === 'boolean') return
  if (!isRecord(node)) {
    const hint = Array.isArray(node) ? '; for a list of items use prefixItems, the form of 2020-12' : ''
    throw wrong(path, `expected a schema object, got ${JSON.stringify(node) ?? typeof node}${hint}`)
  }
  checkType(node.type, path)
  checkReference(node.$ref, path, root)
  checkPattern(node.pattern, joinPath(path, 'pattern'))
  if (isRecord(node.patternProperties)) {
    for (const pattern of Object.keys(node.patternProperties)) {
      checkPattern(pattern, joinPath(path, 'patternProperties'))
    }
  }
  if (node.required !== undefined && !isStringList(node.required)) {
    throw wrong(joinPath(path, 'required'), 'expected a list of property names')
  }
  if (node.enum !== undefined && !Array.isArray(node.enum)) {
    throw wrong(joinPath(path, 'enum'), 'expected a list')
  }
  checkKeywords(node, path)
  checkChildren(node, path, root)
}

function checkKeywords(node: Record<string, unknown>, path: string): void {
  for (const key of numbers) {
    if (node[key] !== undefined && typeof node[key] !== 'number') {
      throw wrong(joinPath(path, key), `expected a number, got ${JSON.stringify(node[key])}`)
    }
  }
  const refused = path === '' ? unsupported : [...unsupported, '$id']
  const found = refused.find((key) => node[key] !== undefined)
  if (found !== undefined) {
    throw wrong(joinPath(path, found), 'this keyword is not supported; refer with $ref: "#/$defs/…"')
  }
}

function checkChildren(node: Record<string, unknown>, path: string, root: JsonObject): void {
  for (const key of singleSchemas) {
    if (node[key] !== undefined) checkNode(node[key], joinPath(path, key), root)
  }
  for (const key of schemaLists) {
    const list = node[key]
    if (list === undefined) continue
    if (!Array.isArray(list)) throw wrong(joinPath(path, key), 'expected a list of schemas')
    for (const [index, item] of list.entries()) checkNode(item, joinPath(joinPath(path, key), index), root)
  }
  for (const key of schemaMaps) {
    const map = node[key]
    if (map === undefined) continue
    if (!isRecord(map)) throw wrong(joinPath(path, key), 'expected an object of schemas')
    for (const [name, item] of Object.entries(map)) checkNode(item, joinPath(joinPath(path, key), name), root)
  }
}

function checkType(type: unknown, path: string): void {
  if (type === undefined) return
  for (const name of Array.isArray(type) ? type : [type]) {
    if (!typeNames.has(name)) {
      throw wrong(
        joinPath(path, 'type'),
        `${JSON.stringify(name)} is not a type; use one of ${[...typeNames].join(', ')}`,
      )
    }
  }
}

function checkReference(reference: unknown, path: string, root: JsonObject): void {
  if (reference === undefined) return
  const place = joinPath(path, '$ref')
  if (typeof reference !== 'string' || !/^#(\/|$)/.test(reference)) {
    const got = JSON.stringify(reference)
    throw wrong(place, `only references inside the schema ("#/…") are followed, got ${got}`)
  }
  const target = resolveReference(reference, root)
  if (target === undefined) throw wrong(place, `"${reference}" leads to nothing`)
  if (typeof target !== 'boolean' && !isRecord(target)) {
    throw wrong(place, `"${reference}" leads to something that is not a schema`)
  }
  if (leadsInCircles(target, root)) throw wrong(place, `"${reference}" leads back to itself`)
}

// Only plain references: through a property or an item, a schema may well contain itself.
function leadsInCircles(target: unknown, root: JsonObject): boolean {
  const seen = new Set<unknown>()
  for (let node = target; isRecord(node) && typeof node.$ref === 'string'; ) {
    if (seen.has(node)) return true
    seen.add(node)
    node = resolveReference(node.$ref, root)
  }
  return false
}

/** What a local JSON Pointer reference (`#/$defs/x`) points at, or undefined. In a URL fragment: RFC 6901 §6. */
export function resolveReference(reference: string, root: JsonObject): unknown {
  try {
    let node: unknown = root
    for (const segment of decodeURIComponent(reference).split('/').slice(1)) {
      const key = segment.replaceAll('~1', '/').replaceAll('~0', '~')
      node = Object.hasOwn(Object(node), key) ? (node as Record<string, unknown>)[key] : undefined
    }
    return node
  } catch {
    // A percent sign that encodes nothing.
    return undefined
  }
}

function checkPattern(pattern: unknown, place: string): void {
  if (pattern === undefined) return
  if (typeof pattern !== 'string') throw wrong(place, `expected a string, got ${JSON.stringify(pattern)}`)
  try {
    // JSON Schema 2020-12 §6.4: patterns are ECMA-262 with the "u" flag.
    new RegExp(pattern, 'u')
  } catch (error) {
    throw wrong(place, error instanceof Error ? error.message : String(error))
  }
}

function wrong(path: string, reason: string): ToolRegistrationError {
  return new ToolRegistrationError(
    `the JSON Schema is wrong at ${path === '' ? 'its root' : `"${path}"`}: ${reason}.`,
  )
}
