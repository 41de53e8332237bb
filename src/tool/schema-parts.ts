import { joinPath } from './json-value.ts'
import { isStandardSchema, type StandardSchema } from './standard-schema.ts'

/**
 * The path of the smallest part of a schema that `convert` throws for. The messages of the libraries have no
 * path, so the parts are tried one by one.
 *
 * @param around - The schemas that this one is a part of.
 */
export function failingPath(
  schema: StandardSchema,
  convert: (part: StandardSchema) => unknown,
  path = '',
  around: readonly unknown[] = [],
): string {
  const seen = [...around, schema]
  for (const [key, part] of partsOf(schema as SchemaParts)) {
    // A schema may be a part of itself.
    if (!isStandardSchema(part) || seen.includes(part)) continue
    try {
      convert(part)
    } catch {
      return failingPath(part, convert, key === undefined ? path : joinPath(path, key), seen)
    }
  }
  return path
}

/** What Valibot, zod and ArkType hold the parts of a schema in. */
interface SchemaParts {
  readonly entries?: object
  readonly shape?: object
  readonly items?: readonly unknown[]
  readonly props?: readonly { readonly key: PropertyKey; readonly value: unknown }[]
  readonly item?: unknown
  readonly element?: unknown
  readonly rest?: unknown
  readonly value?: unknown
  readonly valueType?: unknown
  readonly wrapped?: unknown
  readonly options?: readonly unknown[]
  readonly pipe?: readonly unknown[]
}

const memberKeys = ['item', 'element', 'rest', 'value', 'valueType'] as const

/** The parts of a schema, with their keys in a value. */
function partsOf(parts: SchemaParts): (readonly [key: PropertyKey | undefined, part: unknown])[] {
  try {
    const { entries, shape, items, props = [], options = [], pipe = [] } = parts
    return [
      ...Object.entries({ ...entries, ...shape, ...items }),
      ...props.map(({ key, value }) => [key, value] as const),
      ...memberKeys.map((key) => ['*', parts[key]] as const),
      ...[parts.wrapped, ...options, pipe[0]].map((part) => [undefined, part] as const),
    ]
  } catch {
    // ArkType's accessor throws for what is not an object.
    return []
  }
}
