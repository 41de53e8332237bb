import { ToolRegistrationError } from './errors.ts'
import { isRecord, type JsonObject, joinPath } from './json-value.ts'

const typeNames = new Set<unknown>(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'])
const schemaLists = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const schemaMaps = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
const singleSchemas = [
  'items',
  'additionalProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
  'contains',
]

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
  if (!isRecord(node))
    throw wrong(path, `expected a schema object, got ${JSON.stringify(node) ?? typeof node}`)
  checkType(node.type, path)
  checkReference(node.$ref, path, root)
  checkPattern(node.pattern, path)
  if (node.required !== undefined && !isStringList(node.required)) {
    throw wrong(joinPath(path, 'required'), 'expected a list of property names')
  }
  if (node.enum !== undefined && !Array.isArray(node.enum))
    throw wrong(joinPath(path, 'enum'), 'expected a list')
  checkChildren(node, path, root)
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
  if (typeof reference !== 'string' || !reference.startsWith('#')) {
    throw wrong(
      joinPath(path, '$ref'),
      `only references inside the schema ("#/…") are followed, got ${JSON.stringify(reference)}`,
    )
  }
  if (resolveReference(reference, root) === undefined) {
    throw wrong(joinPath(path, '$ref'), `"${reference}" leads to nothing`)
  }
}

/** What a local JSON Pointer reference (`#/$defs/x`) points at, or undefined. */
export function resolveReference(reference: string, root: JsonObject): unknown {
  let node: unknown = root
  for (const segment of reference.replace(/^#\/?/, '').split('/')) {
    if (segment === '') continue
    const key = decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(node)) node = node[Number(key)]
    else if (isRecord(node) && Object.hasOwn(node, key)) node = node[key]
    else return undefined
  }
  return node
}

function checkPattern(pattern: unknown, path: string): void {
  if (pattern === undefined) return
  try {
    // JSON Schema 2020-12 §6.4: patterns are ECMA-262 with the "u" flag.
    new RegExp(String(pattern), 'u')
  } catch (error) {
    throw wrong(joinPath(path, 'pattern'), error instanceof Error ? error.message : String(error))
  }
}

function isStringList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function wrong(path: string, reason: string): ToolRegistrationError {
  return new ToolRegistrationError(`jsonSchema(): at "${path === '' ? '(root)' : path}": ${reason}.`)
}
