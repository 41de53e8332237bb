import { isSchema, type Schema, strangeKeywords, walkSchema } from './walk-schema.ts'

// The subset of JSON Schema that OpenAI takes: notes/platform.md §6, "Provider limits", column OpenAI strict, and
// https://platform.openai.com/docs/guides/structured-outputs#supported-schemas. Written down apart from the library.

interface Sent {
  readonly type: string
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: unknown
    readonly strict?: boolean
  }
}

/** What OpenAI would refuse of a tool; nothing when it takes it. */
export function openaiFaults({ type, function: sent }: Sent): string[] {
  const { name, description, parameters, strict } = sent
  return [
    ...(type === 'function' ? [] : [`type ${type}`]),
    ...(/^[a-zA-Z0-9_-]{1,64}$/.test(name) ? [] : [`name ${name}`]),
    ...(description.length <= 1024 ? [] : ['description too long']),
    ...rootFaults(parameters),
    ...(strict === true ? strictFaults(parameters) : looseFaults(parameters)),
  ]
}

const refusedAtRoot = [
  'anyOf',
  'oneOf',
  'allOf',
  'enum',
  'not',
  'const',
  '$ref',
  'if',
  '$schema',
  '$id',
  '$comment',
]

function rootFaults(root: unknown): string[] {
  if (!isSchema(root)) return ['no schema']
  return [
    ...(root.type === 'object' ? [] : [`root of type ${root.type}`]),
    ...(isSchema(root.properties) ? [] : ['root without properties']),
    ...refusedAtRoot.filter((key) => key in root).map((key) => `${key} at the root`),
  ]
}

function looseFaults(root: unknown): string[] {
  return walkSchema(root, (node) => [
    ...(node.type === 'array' && !isSchema(node.items) ? ['array without items'] : []),
    ...['$schema', '$id', '$comment', 'definitions'].filter((key) => key in node),
    ...('$ref' in node ? referenceFaults(node, root as Schema) : []),
  ])
}

const strictKeywords = [
  ...['type', 'title', 'description', 'enum', 'anyOf', '$ref', '$defs', 'properties', 'required'],
  ...['additionalProperties', 'items', 'minItems', 'maxItems', 'pattern', 'format', 'multipleOf'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
]
const formats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']
const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

function strictFaults(root: unknown): string[] {
  let [keys, values, chars] = [0, 0, 0]
  const faults = walkSchema(root, (node, _path, level) => {
    const names = isSchema(node.properties) ? Object.keys(node.properties) : []
    keys += names.length
    values += Array.isArray(node.enum) ? node.enum.length : 0
    chars += names.join('').length + (Array.isArray(node.enum) ? node.enum.join('').length : 0)
    const isObject = [node.type].flat().includes('object')
    const required = new Set((node.required ?? []) as string[])
    return [
      ...strangeKeywords(node, strictKeywords),
      ...(level > 10 ? ['more than 10 levels'] : []),
      ...(node.type === undefined && !('anyOf' in node) && !('$ref' in node) ? ['no type'] : []),
      ...[node.type ?? []]
        .flat()
        .map(String)
        .filter((type) => !types.includes(type)),
      ...(isObject && node.additionalProperties !== false ? ['an open object'] : []),
      ...(isObject && !isSchema(node.properties) ? ['an object without properties'] : []),
      ...names.filter((name) => !required.has(name)).map((name) => `${name} is optional`),
      ...(node.type === 'array' && !isSchema(node.items) ? ['array without items'] : []),
      ...(node.format !== undefined && !formats.includes(String(node.format))
        ? [`format ${node.format}`]
        : []),
      ...('$ref' in node ? referenceFaults(node, root as Schema) : []),
    ]
  })
  return [
    ...faults,
    ...(keys > 5_000 ? ['more than 5000 properties'] : []),
    ...(values > 1_000 ? ['more than 1000 enum values'] : []),
    ...(chars > 120_000 ? ['more than 120k characters'] : []),
  ]
}

function referenceFaults({ $ref }: Schema, { $defs }: Schema): string[] {
  const name = String($ref).replace('#/$defs/', '')
  return isSchema($defs) && Object.hasOwn($defs, name) ? [] : [`$ref ${$ref}`]
}
