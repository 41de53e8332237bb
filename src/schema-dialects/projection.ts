import { ToolRegistrationError } from '../tool/errors.ts'
import type { JsonObject, JsonValue } from '../tool/json-value.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import { isRecord } from '../tool/value-kinds.ts'
import type { Dialect } from './dialect.ts'
import { type DialectTexts, dialectTextsEn } from './dialect-texts.ts'
import { projectSchema } from './project-schema.ts'
import type { ProjectionLoss } from './projected.ts'
import { strictFault } from './strict-fault.ts'
import { wireWord } from './wire-words.ts'

/** What of a tool's definition is projected. */
export type PortableDefinition = Pick<ToolDefinition, 'name' | 'description' | 'inputSchema'>

/** How a definition is projected. */
export interface ProjectionOptions {
  /**
   * The tool's name on the wire, where another tool has the one that it would get.
   * @default its own name, with `_` in place of what the provider does not take
   */
  readonly name?: string
  /** Words for the model in place of keywords that a provider lacks. @default English */
  readonly texts?: Partial<DialectTexts>
  /** A longer description is cut. @default as the provider says */
  readonly maxDescriptionChars?: number
}

/** A tool as a provider takes it. The definition stays what its calls are validated against. */
export interface Projection<Payload> {
  /** The tool's name on the wire. */
  readonly name: string
  /** What is sent. */
  readonly tool: Payload
  /** What the copy does not say as the definition does; empty when the provider takes the tool as it is. */
  readonly report: readonly ProjectionLoss[]
  /** Whether inputs look different on the wire. */
  readonly changesInput: boolean
  /** An input as the model would have sent it, for the history. */
  encode(input: JsonObject): JsonObject
  /** What the model sent as the definition has it: keys with their own names, and absent what null stood for. */
  decode(input: JsonObject): JsonObject
}

/** The parts of what is sent. */
export interface WireTool {
  readonly name: string
  readonly description: string
  readonly schema: JsonObject
  readonly isStrict: boolean
}

/**
 * Projects a definition.
 *
 * @param strict - Tried first, when it is given; a schema that cannot be strict is not.
 * @throws ToolRegistrationError that names the tool and the place, when its schema is none or no object fits it.
 */
export function project(
  definition: PortableDefinition,
  { strict, loose }: { readonly strict?: Dialect | undefined; readonly loose: Dialect },
  options: ProjectionOptions,
): Projection<WireTool> {
  try {
    return projected(definition, strict, loose, options)
  } catch (error) {
    const reason = error instanceof RangeError ? 'it is nested too deeply.' : readable(error)
    throw new ToolRegistrationError(`tool "${definition.name}", inputSchema, for ${loose.title}: ${reason}`)
  }
}

function projected(
  { name, description, inputSchema }: PortableDefinition,
  strict: Dialect | undefined,
  loose: Dialect,
  options: ProjectionOptions,
): Projection<WireTool> {
  const schema = isRecord(inputSchema) ? inputSchema : { type: typeof inputSchema }
  const texts = { ...dialectTextsEn, ...options.texts }
  const tried = strict === undefined ? undefined : projectSchema(schema, strict, texts)
  const fault = tried === undefined ? undefined : (tried.projecting.refusals[0] ?? strictFault(tried.schema))
  const isStrict = tried !== undefined && fault === undefined
  const root = isStrict ? tried : projectSchema(schema, loose, texts)
  const report = [...root.projecting.report]
  if (fault !== undefined)
    report.unshift({ path: '', lost: 'strict mode', became: `strict: false, as ${fault}` })
  const wireName = options.name ?? wireWord(name, loose.names)
  if (wireName !== name)
    report.push({ path: '', lost: `the name "${name}"`, became: `the name "${wireName}"` })
  const text = [description, ...root.notes].filter((part) => part !== '').join(' ')
  const shown = cutText(text, root.notes.join(' '), options.maxDescriptionChars)
  if (shown !== text) report.push({ path: '', lost: 'the end of the description', became: 'left out' })
  const { codec } = root
  return {
    name: wireName,
    tool: { name: wireName, description: shown, schema: root.schema, isStrict },
    report,
    changesInput: codec !== undefined,
    encode: (input) => (codec === undefined ? input : asObject(codec.encode(input))),
    decode: (input) => (codec === undefined ? input : asObject(codec.decode(input))),
  }
}

/** Cut where there is room for the notes, which stand behind it. */
function cutText(text: string, notes: string, maxChars = Number.POSITIVE_INFINITY): string {
  if (text.length <= maxChars) return text
  const end = notes === '' || notes.length > maxChars / 2 ? '…' : `… ${notes}`
  // Not within a surrogate pair.
  return text.slice(0, maxChars - end.length).replace(/[\ud800-\udbff]$/, '') + end
}

function asObject(value: JsonValue): JsonObject {
  return value as JsonObject
}

function readable(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
