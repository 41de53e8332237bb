import { defined } from '../../tool/defined.ts'
import { digest } from '../../tool/fingerprint.ts'
import { deepFreeze, type JsonObject, type JsonValue } from '../../tool/json-value.ts'
import { isRecord } from '../../tool/value-kinds.ts'
import { cutText } from '../cut-text.ts'
import type { SchemaCleaning } from './clean-schema.ts'
import { cleanText, oneLine } from './clean-text.ts'
import type { DefinitionTexts } from './definition-texts.ts'
import { findNames, findOrders } from './find-orders.ts'
import { definitionLimits, exceeds } from './json-limits.ts'
import { noteText } from './note-text.ts'
import { readToolSchema } from './read-tool-schema.ts'
import type { RawDefinition, ServerTool, SetAside, ToolAnnotations } from './server-tool.ts'
import { flagList } from './tool-flag.ts'

/** How one tool is read. */
export interface ToolReading {
  readonly originalName: string
  /** For the model. */
  readonly name: string
  readonly maxDescriptionChars: number
  /** Of other tools: a description that holds one is flagged. */
  readonly otherNames: readonly string[]
  /** What the definitions of its server may still hold together. */
  readonly room: DefinitionRoom
  readonly texts: DefinitionTexts
}

/** The room that all definitions of one server share, in characters of JSON. */
export interface DefinitionRoom {
  readonly maxChars: number
  left: number
}

/** Why a tool cannot be used. */
export type ToolRefusal = Pick<SetAside, 'kind' | 'reason'>

const rawFields = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations']
const maxTitleChars = 256
const maxShownChars = 64
/** So much of a tool's texts is looked through for orders and names. */
const maxSearchedChars = 100_000

/** One tool as its server sent it, checked and made fit for use, or why it cannot be used. */
export async function readServerTool(
  item: JsonObject,
  { originalName, name, maxDescriptionChars, otherNames, room, texts }: ToolReading,
): Promise<ServerTool | ToolRefusal> {
  const given = definitionIn(item)
  const excess = exceeds(given, definitionLimits)
  if (excess !== undefined) return { kind: 'too-large', reason: texts.largeDefinition(texts.excess(excess)) }
  const json = JSON.stringify(given)
  if (json.length > room.left) {
    return { kind: 'too-large', reason: texts.largeDefinitions(room.maxChars / 1024) }
  }
  room.left -= json.length
  // Its own copy: what is shown must be what the fingerprint is of.
  const raw = JSON.parse(json) as RawDefinition
  const flags = flagList()
  const cleaning = { flags, maxDescriptionChars, texts, read: [], patternChars: 0 } satisfies SchemaCleaning
  const description = readDescription(raw.description, cleaning)
  const inputSchema = readToolSchema(raw.inputSchema ?? noInput(cleaning), 'inputSchema', cleaning)
  if (typeof inputSchema === 'string') {
    return { kind: 'input-schema', reason: texts.refusedInputSchema(inputSchema) }
  }
  const annotations = readAnnotations(raw.annotations)
  const title = readTitle(raw.title ?? annotations.title, cleaning)
  noteOrders(otherNames, cleaning)
  const fingerprint = await digest(raw)
  return deepFreeze(
    defined({
      originalName,
      name,
      title: title === '' ? undefined : title,
      description,
      inputSchema,
      outputSchema: readOutput(raw.outputSchema, cleaning),
      annotations,
      flags: flags.flags,
      fingerprint,
      raw,
    }),
  )
}

/** The part of a listed tool that its fingerprint is of. */
function definitionIn(item: JsonObject): RawDefinition {
  return Object.fromEntries(
    rawFields.filter((field) => Object.hasOwn(item, field)).map((field) => [field, item[field] as JsonValue]),
  )
}

function readDescription(raw: unknown, { flags, maxDescriptionChars, texts, read }: SchemaCleaning): string {
  const clean = cleanText(typeof raw === 'string' ? raw : '', maxDescriptionChars, texts)
  read.push(clean.whole)
  noteText(clean, 'description', flags, texts)
  if (clean.text !== '') return clean.text
  flags.add('no-description', 'description', texts.noDescription)
  return texts.descriptionInstead
}

function readTitle(raw: unknown, { flags, texts, read }: SchemaCleaning): string {
  if (typeof raw !== 'string') return ''
  noteText(cleanText(raw, maxTitleChars), 'title', flags, texts)
  const title = oneLine(raw, maxTitleChars)
  read.push(title)
  return title
}

function noInput({ flags, texts }: SchemaCleaning): JsonObject {
  flags.add('no-input-schema', 'inputSchema', texts.noInputSchema)
  return { type: 'object', properties: {} }
}

function readOutput(raw: JsonValue | undefined, cleaning: SchemaCleaning): JsonObject | undefined {
  if (raw === undefined || raw === null) return undefined
  const { flags, texts } = cleaning
  const isObject = isRecord(raw) && raw.type === 'object'
  // A model does not get it, so that its texts raise no flags.
  const quiet = { ...cleaning, flags: flagList(), read: [] }
  const schema = isObject ? readToolSchema(raw, 'outputSchema', quiet) : texts.noObject
  if (typeof schema !== 'string') return schema
  flags.add('output-schema', 'outputSchema', texts.unusedOutputSchema(schema.replace(/\.$/, '')))
  return undefined
}

function readAnnotations(raw: unknown): ToolAnnotations {
  if (!isRecord(raw)) return {}
  const hint = (name: string) => (typeof raw[name] === 'boolean' ? (raw[name] as boolean) : undefined)
  return defined({
    title: typeof raw.title === 'string' ? oneLine(raw.title, maxTitleChars) : undefined,
    readOnlyHint: hint('readOnlyHint'),
    destructiveHint: hint('destructiveHint'),
    idempotentHint: hint('idempotentHint'),
    openWorldHint: hint('openWorldHint'),
  })
}

function noteOrders(otherNames: readonly string[], { flags, texts, read }: SchemaCleaning): void {
  const text = cutText(read.join('\n'), maxSearchedChars)
  const orders = findOrders(text)
  if (orders.length > 0) flags.add('instructions', 'description', texts.givesOrders(orders))
  const names = findNames(text, otherNames).map((name) => oneLine(name, maxShownChars))
  if (names.length > 0) flags.add('names-other-tools', 'description', texts.namesOtherTools(names))
}
