import { resolveReference } from '../tool/check-json-schema.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import type { JsonObject, JsonValue } from '../tool/json-value.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import { asList, isRecord } from '../tool/value-kinds.ts'
import type { ProjectionLoss } from './projected.ts'
import type { PortableDefinition, Projection, ProjectionOptions } from './projection.ts'
import { wireWord } from './wire-words.ts'

/** A tool as an MCP server lists it. */
export interface MCPToolDefinition {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  readonly annotations?: {
    readonly readOnlyHint: boolean
    readonly destructiveHint?: boolean
    readonly openWorldHint?: boolean
  }
}

/** What of a definition an MCP server tells. */
export type MCPDefinition = PortableDefinition & Partial<Pick<ToolDefinition, 'outputSchema' | 'labels'>>

const names = { wrong: /[^\w.-]/g, maxChars: 128 }

/**
 * A tool as MCP lists it (revision 2025-11-25, server/tools): its schema as it is, with an object at its root; names of
 * letters, digits, `_`, `-` and `.`; labels as hints. A label that is decided per input gives the hint of the worst case.
 *
 * @throws ToolRegistrationError that names the tool, when no object fits its schema.
 */
export function forMCP(
  definition: MCPDefinition,
  { name: wanted }: Pick<ProjectionOptions, 'name'> = {},
): Projection<MCPToolDefinition> {
  const { name, description, inputSchema, outputSchema, labels } = definition
  const report: ProjectionLoss[] = []
  const wireName = wanted ?? wireWord(name, names)
  if (wireName !== name)
    report.push({ path: '', lost: `the name "${name}"`, became: `the name "${wireName}"` })
  const schema = withObjectRoot(inputSchema)
  if (schema === undefined) {
    throw new ToolRegistrationError(
      `tool "${name}", inputSchema, for MCP: its root must be an object, as the input of a tool is always one.`,
    )
  }
  if (schema !== inputSchema)
    report.push({ path: '', lost: 'the form of the root', became: 'an object, in the form of 2020-12' })
  const output = outputSchema === undefined ? undefined : withObjectRoot(outputSchema)
  if (outputSchema !== undefined && output === undefined) {
    report.push({ path: '', lost: 'outputSchema', became: 'left out: MCP takes only objects' })
  }
  const same = (input: JsonObject) => input
  return {
    ...{ name: wireName, report, changesInput: false, encode: same, decode: same },
    tool: {
      ...{ name: wireName, description, inputSchema: schema },
      ...(output !== undefined && { outputSchema: output }),
      ...(labels !== undefined && { annotations: hints(labels) }),
    },
  }
}

function hints({ effect, egress }: ToolDefinition['labels']): NonNullable<MCPToolDefinition['annotations']> {
  if (effect === 'none') return { readOnlyHint: true, openWorldHint: egress !== false }
  const isDestructive = effect === 'destructive' || effect === 'by-input'
  const isOpen = egress !== false || effect === 'external' || effect === 'by-input'
  return { readOnlyHint: false, destructiveHint: isDestructive, openWorldHint: isOpen }
}

/** The same schema, as far as it is one of MCP; undefined when no object fits it. */
function withObjectRoot(raw: JsonObject): JsonObject | undefined {
  if (!isRecord(raw)) return undefined
  const forms = modern(raw, false) as JsonObject
  // Its draft is another one now.
  const { $schema: _draft, ...newer } = forms
  const schema = forms === raw ? raw : newer
  const { $ref, type } = schema
  const target = typeof $ref === 'string' && type === undefined ? resolveReference($ref, schema) : schema
  const types = [Object(target).type ?? 'object'].flat()
  if (!types.includes('object') || isRecord(target) === false) return undefined
  return schema.type === 'object' ? schema : { ...schema, type: 'object' }
}

const maps = /^(properties|patternProperties|\$defs|definitions|dependentSchemas)$/
const data = /^(const|enum|default|examples|required)$/

/** What draft-04 and draft-07 said otherwise, as 2020-12 says it. The same object where there is nothing. */
function modern(node: JsonValue, isMap: boolean): JsonValue {
  if (Array.isArray(node)) {
    const items = node.map((item: JsonValue) => modern(item, false))
    return items.every((item, index) => item === node[index]) ? node : items
  }
  if (!isRecord(node)) return node
  const entries = Object.entries(node as JsonObject).map(([key, value]): [string, JsonValue] => [
    key,
    !isMap && data.test(key) ? value : modern(value, !isMap && maps.test(key)),
  ])
  const changed = entries.some(([key, value]) => value !== (node as JsonObject)[key])
  const same = changed ? (Object.fromEntries(entries) as JsonObject) : (node as JsonObject)
  return isMap ? same : newForms(same)
}

function newForms(node: JsonObject): JsonObject {
  const { items, additionalItems, exclusiveMinimum: above, exclusiveMaximum: below, ...rest } = node
  const isOld = Array.isArray(items) || typeof above === 'boolean' || typeof below === 'boolean'
  if (!isOld) return node
  const made: Record<string, JsonValue> = { ...rest }
  if (Array.isArray(items)) made.prefixItems = asList(items) as JsonValue[]
  else if (items !== undefined) made.items = items
  if (Array.isArray(items) && additionalItems !== undefined) made.items = additionalItems
  for (const [flag, exclusive, bound] of [
    [above, 'exclusiveMinimum', 'minimum'],
    [below, 'exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof flag !== 'boolean') {
      if (flag !== undefined) made[exclusive] = flag
    } else if (flag && made[bound] !== undefined) {
      made[exclusive] = made[bound]
      delete made[bound]
    }
  }
  return made
}
