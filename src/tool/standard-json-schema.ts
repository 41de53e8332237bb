import { ToolRegistrationError } from './errors.ts'
import { isRecord, joinPath } from './json-value.ts'
import type { StandardSchema } from './standard-schema.ts'

/** The JSON Schema of what a model may send, or the place and the reason why there is none. */
export type ConvertedSchema =
  | { readonly jsonSchema: unknown }
  | { readonly path: string; readonly reason: string }

type Converter = NonNullable<StandardSchema['~standard']['jsonSchema']>['input']

/** Has a schema of any library describe itself as JSON Schema; what it cannot say is a reason, not left out. */
export function convertStandardSchema(schema: StandardSchema, converter: Converter): ConvertedSchema {
  const convert = (): unknown =>
    converter({ target: 'draft-2020-12', libraryOptions: refusals[schema['~standard'].vendor] ?? {} })
  try {
    // A function default is called for the description, and one value of it would stand there for ever.
    return { jsonSchema: withoutChangingDefaults(convert(), convert()) }
  } catch (error) {
    if (error instanceof Unrepresentable) {
      return { path: error.path ?? findPath(schema), reason: error.message }
    }
    if (error instanceof ToolRegistrationError) throw error
    return { path: '', reason: error instanceof Error ? error.message : String(error) }
  }
}

class Unrepresentable extends Error {
  readonly path: string | undefined

  constructor(reason: string, path?: string) {
    super(reason)
    this.path = path
  }
}

/** What zod tells its handler. */
interface ZodPlace {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** What ArkType tells its handlers. */
interface ArkPart {
  readonly code: string
  readonly domain?: string
  readonly proto?: { readonly name: string }
}

function refuseZodPart({ path, message }: ZodPlace): never {
  throw new Unrepresentable(`${message}.`, valuePath(path))
}

function refuseArkPart({ code, domain, proto }: ArkPart): never {
  throw new Unrepresentable(`"${domain ?? proto?.name ?? code}" has no form in JSON Schema.`)
}

// Left to itself, ArkType describes a part that JSON Schema cannot express as {}, which takes anything.
const arkCodes = [
  ...['domain', 'proto', 'date', 'unit', 'symbolKey'],
  ...['arrayObject', 'arrayPostfix', 'patternIntersection'],
]

const refusals: Readonly<Record<string, Record<string, unknown>>> = {
  zod: { unrepresentable: refuseZodPart },
  arktype: { fallback: Object.fromEntries(arkCodes.map((code) => [code, refuseArkPart])) },
}

/** The path of a value from the path of its schema: `properties, a, items` is `a.*`. */
function valuePath(schemaPath: readonly (string | number)[]): string {
  let path = ''
  for (let index = 0; index < schemaPath.length; index += 1) {
    const keyword = schemaPath[index]
    if (keyword === 'properties' || keyword === 'prefixItems') {
      index += 1
      path = joinPath(path, schemaPath[index] ?? '')
    } else if (keyword === 'items' || keyword === 'additionalProperties') path = joinPath(path, '*')
  }
  return path
}

// ArkType's message has no path, so the properties are tried one by one.
function findPath(schema: unknown): string {
  for (const { key, value } of propertiesOf(schema)) {
    const converter = value['~standard'].jsonSchema?.input
    if (converter === undefined) continue
    const converted = convertStandardSchema(value, converter)
    if ('reason' in converted) return joinPath(String(key), converted.path).replace(/\.$/, '')
  }
  return ''
}

function propertiesOf(schema: unknown): { readonly key: PropertyKey; readonly value: StandardSchema }[] {
  try {
    const { props } = schema as { props?: unknown }
    return Array.isArray(props) ? props : []
  } catch {
    // ArkType's accessor throws for what is not an object.
    return []
  }
}

/** The first of two descriptions without the defaults that differ between them. */
function withoutChangingDefaults(first: unknown, second: unknown): unknown {
  if (Array.isArray(first) && Array.isArray(second)) {
    return first.map((item, index) => withoutChangingDefaults(item, second[index]))
  }
  if (!isRecord(first) || !isRecord(second)) return first
  const changing = JSON.stringify(first.default) !== JSON.stringify(second.default)
  return Object.fromEntries(
    Object.entries(first)
      .filter(([key]) => !(key === 'default' && changing))
      .map(([key, member]) => [key, withoutChangingDefaults(member, second[key])]),
  )
}
