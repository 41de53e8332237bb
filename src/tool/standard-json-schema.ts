import { errorToData } from './error-data.ts'
import { ToolRegistrationError } from './errors.ts'
import { isRecord, joinPath } from './json-value.ts'
import type { StandardSchema } from './standard-schema.ts'

/** The JSON Schema of what a model may send, or why there is none: at which place, or a mistake in a whole sentence. */
export type ConvertedSchema =
  | { readonly jsonSchema: unknown }
  | { readonly path: string; readonly reason: string }
  | { readonly mistake: string }

/**
 * Has a schema of any library describe itself as JSON Schema; what it cannot say is a reason, not left out.
 *
 * @param around - The schemas that this one is a part of.
 */
export function convertStandardSchema(
  schema: StandardSchema,
  around: readonly StandardSchema[] = [],
): ConvertedSchema {
  const { jsonSchema, vendor } = schema['~standard']
  if (jsonSchema === undefined) {
    return {
      mistake:
        `this ${vendor} schema checks values but cannot describe itself as JSON Schema. ` +
        'Update its library, or pass jsonSchema({ … }).',
    }
  }
  const convert = (): unknown =>
    jsonSchema.input({ target: 'draft-2020-12', libraryOptions: refusals[vendor] })
  try {
    // A function default is called for the description, and one value of it would stand there for ever.
    return { jsonSchema: withoutChangingDefaults(convert(), convert()) }
  } catch (error) {
    const { message } = errorToData(error)
    // Thrown by jsonSchema(), which does not know whose schema it is.
    if (error instanceof ToolRegistrationError) return { mistake: message }
    return { path: findPath([...around, schema], schema), reason: message.replace(/\.?$/, '.') }
  }
}

/** What ArkType tells its handlers. */
interface ArkPart {
  readonly code: string
  readonly domain?: string
  readonly proto?: { readonly name: string }
}

function refuseArkPart({ code, domain, proto }: ArkPart): never {
  throw new Error(`"${domain ?? proto?.name ?? code}" has no form in JSON Schema.`)
}

// Left to itself, ArkType describes a part that JSON Schema cannot express as {}, which takes anything.
const arkCodes = [
  ...['domain', 'proto', 'date', 'unit', 'symbolKey'],
  ...['arrayObject', 'arrayPostfix', 'patternIntersection'],
]

const refusals: Readonly<Record<string, Record<string, unknown>>> = {
  arktype: { fallback: Object.fromEntries(arkCodes.map((code) => [code, refuseArkPart])) },
}

// The messages of zod and ArkType have no path, so the parts are tried one by one.
function findPath(around: readonly StandardSchema[], schema: StandardSchema): string {
  for (const [key, part] of partsOf(schema)) {
    // A schema may be a part of itself.
    if (around.includes(part)) continue
    const converted = convertStandardSchema(part, around)
    if ('reason' in converted) return joinPath(key, converted.path).replace(/\.$/, '')
  }
  return ''
}

/** What zod and ArkType hold the parts of a schema in. */
interface SchemaParts {
  readonly shape?: Readonly<Record<string, StandardSchema>>
  readonly element?: StandardSchema
  readonly valueType?: StandardSchema
  readonly props?: readonly { readonly key: PropertyKey; readonly value: StandardSchema }[]
}

function partsOf(schema: StandardSchema): [key: string, part: StandardSchema][] {
  try {
    const { shape = {}, element, valueType = element, props = [] } = schema as StandardSchema & SchemaParts
    return [
      ...Object.entries(shape),
      ...(valueType === undefined ? [] : [['*', valueType] as [string, StandardSchema]]),
      ...props.map(({ key, value }): [string, StandardSchema] => [String(key), value]),
    ]
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
