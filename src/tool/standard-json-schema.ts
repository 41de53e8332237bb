import { ToolRegistrationError } from './errors.ts'
import type { StandardSchema } from './standard-schema.ts'
import { isObject } from './value-kinds.ts'

/**
 * Has a schema of any library describe itself as JSON Schema: what a model may send. Throws for what it cannot say,
 * which is never left out.
 */
export function describeStandardSchema(schema: StandardSchema): unknown {
  const { jsonSchema, vendor } = schema['~standard']
  if (jsonSchema === undefined) {
    throw new ToolRegistrationError(
      `this ${vendor} schema checks values but cannot describe itself as JSON Schema. ` +
        'Update its library, or pass jsonSchema({ … }).',
    )
  }
  const libraryOptions = vendor === 'arktype' ? { fallback: describeArkPart } : undefined
  const convert = (): unknown => jsonSchema.input({ target: 'draft-2020-12', libraryOptions })
  const converted = convert()
  // A function default is called for the description, and one value of it would stand there for ever.
  dropChangingDefaults(converted, convert())
  return converted
}

/** What ArkType tells its handler of a part that JSON Schema cannot express. */
interface ArkPart {
  readonly code: string
  /** What can be said of it. */
  readonly base: unknown
  readonly domain?: string
  readonly proto?: { readonly name: string }
}

// Left to itself, ArkType describes such a part as {}, which takes anything.
function describeArkPart({ code, base, domain, proto }: ArkPart): unknown {
  if (code === 'defaultValue') return undefined
  // What is sent is the same before a morph; what a predicate refuses, the model learns from the error.
  if (code === 'morph' || code === 'predicate') return base
  throw new Error(`"${domain ?? proto?.name ?? code}" has no form in JSON Schema.`)
}

/** Takes the defaults that differ between two descriptions out of the first. */
function dropChangingDefaults(first: unknown, second: unknown): void {
  if (!isObject(first)) return
  for (const [key, member] of Object.entries(first)) {
    const other: unknown = Object(second)[key]
    if (key !== 'default') dropChangingDefaults(member, other)
    else if (JSON.stringify(member) !== JSON.stringify(other)) Reflect.deleteProperty(first, key)
  }
}
