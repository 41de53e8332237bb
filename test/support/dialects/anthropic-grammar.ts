import { isSchema, type Schema, strangeKeywords, walkSchema } from './walk-schema.ts'

// What Anthropic takes: notes/platform.md §6, "Provider limits", column Anthropic, cases A03 and A16, and
// https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations. Written down apart
// from the library.

interface Sent {
  readonly name: string
  readonly input_schema: unknown
  readonly strict?: boolean
}

/** What Anthropic would refuse of a tool; nothing when it takes it. */
export function anthropicFaults({ name, input_schema: root, strict }: Sent): string[] {
  if (!isSchema(root)) return ['no schema']
  const atRoot = ['anyOf', 'oneOf', 'allOf', '$ref', '$schema', '$id', '$comment'].filter(
    (key) => key in root,
  )
  return [
    ...(/^[a-zA-Z0-9_-]{1,64}$/.test(name) ? [] : [`name ${name}`]),
    ...(root.type === 'object' ? [] : [`root of type ${root.type}`]),
    ...atRoot.map((key) => `${key} at the root`),
    ...walkSchema(root, (node) => [
      ...formFaults(node, root),
      ...(strict === true ? strictFaults(node) : []),
    ]),
  ]
}

/** Schemas must be of draft 2020-12. */
function formFaults(node: Schema, { $defs }: Schema): string[] {
  const keys = isSchema(node.properties) ? Object.keys(node.properties) : []
  const name = String(node.$ref).replace('#/$defs/', '')
  return [
    ...keys.filter((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key)).map((key) => `key ${key}`),
    ...(Array.isArray(node.items) ? ['items as a list'] : []),
    ...(typeof node.exclusiveMinimum === 'boolean' ? ['exclusiveMinimum of draft-04'] : []),
    ...('definitions' in node ? ['definitions'] : []),
    ...('$ref' in node && !(isSchema($defs) && Object.hasOwn($defs, name)) ? [`$ref ${node.$ref}`] : []),
  ]
}

const strictKeywords = [
  ...['type', 'title', 'description', 'enum', 'anyOf', 'properties', 'required', 'additionalProperties'],
  ...['items', 'minItems', 'format'],
]
const formats = [
  ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'],
]

function strictFaults(node: Schema): string[] {
  return [
    ...strangeKeywords(node, strictKeywords),
    ...(node.type === undefined && !('anyOf' in node) ? ['no type'] : []),
    ...(Array.isArray(node.type) ? ['a list of types'] : []),
    ...(node.type === 'object' && node.additionalProperties !== false ? ['an open object'] : []),
    ...(Number(node.minItems ?? 0) > 1 ? ['minItems above 1'] : []),
    ...(node.format !== undefined && !formats.includes(String(node.format)) ? [`format ${node.format}`] : []),
  ]
}
