import { ToolRegistrationError } from './errors.ts'
import type { JsonObject, ToolIssue } from './json-value.ts'
import type { ToolDefinition } from './tool-definition.ts'
import { nameHint } from './tool-name.ts'
import { asList } from './value-kinds.ts'

/** The schema of an input in two parts: what the model writes and what a person fills in. */
export interface SplitSchema {
  readonly inputSchema: JsonObject
  readonly userFields?: JsonObject
}

/**
 * Takes the fields that a person fills in out of a schema.
 *
 * @throws {@link ToolRegistrationError} for a name that is no field of it.
 */
export function splitUserFields(
  schema: JsonObject,
  names: readonly string[] | 'all' | undefined,
  where: string,
): SplitSchema {
  if (names === undefined) return { inputSchema: schema }
  const known = Object.keys(Object(schema.properties))
  const chosen = names === 'all' ? known : names
  for (const name of chosen) {
    if (known.includes(name)) continue
    const hint = nameHint(name, known, 'fields')
    throw new ToolRegistrationError(`${where}, userFields: there is no field "${name}". ${hint}`)
  }
  return {
    inputSchema: withFields(schema, (name) => !chosen.includes(name)),
    userFields: withFields(schema, (name) => chosen.includes(name)),
  }
}

function withFields(schema: JsonObject, isIn: (name: string) => boolean): JsonObject {
  const { properties, required, ...rest } = schema
  const needed = (asList(required) as readonly string[]).filter(isIn)
  return {
    ...rest,
    properties: pick(properties as JsonObject, isIn),
    ...(needed.length > 0 ? { required: needed } : {}),
  }
}

function pick(object: JsonObject, isIn: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => isIn(name)))
}

/** The input without what only a person may fill in, and the names of what was taken out. */
export function withoutUserFields(
  input: JsonObject,
  userFields: JsonObject | undefined,
): { input: JsonObject; taken: string[] } {
  const isPersons = (name: string) => Object.hasOwn(Object(userFields?.properties), name)
  return { input: pick(input, (name) => !isPersons(name)), taken: Object.keys(input).filter(isPersons) }
}

/** The part of an input that is the model's to read: what a person filled in is not. */
export function modelsPart(input: JsonObject, definition: ToolDefinition | undefined): JsonObject {
  return withoutUserFields(input, definition?.userFields).input
}

/**
 * The issues that are about the model's part of an input, if there are any. What is wrong with the whole may be
 * what is missing yet.
 */
export function issuesOfModel(
  issues: readonly ToolIssue[],
  userFields: JsonObject,
): readonly ToolIssue[] | undefined {
  const own = issues.filter(({ path }) => {
    const [first = ''] = path.split('.')
    return first !== '' && !Object.hasOwn(Object(userFields.properties), first)
  })
  return own.length > 0 ? own : undefined
}
