import { defined } from '../../tool/defined.ts'
import { digest } from '../../tool/fingerprint.ts'
import { deepFreeze, isRecord, type JsonObject, type JsonValue } from '../../tool/json-value.ts'
import { type CleanText, cleanText, oneLine } from './clean-text.ts'
import { findNames, findOrders } from './find-orders.ts'
import { definitionLimits, exceeds } from './json-limits.ts'
import { noteText } from './note-text.ts'
import { readToolSchema } from './read-tool-schema.ts'
import type { RawDefinition, ServerTool, SetAside, ToolAnnotations } from './server-tool.ts'
import { type FlagList, flagList } from './tool-flag.ts'

/** How one tool is read. */
export interface ToolReading {
  readonly originalName: string
  /** For the model. */
  readonly name: string
  readonly maxDescriptionChars: number
  /** Of other tools: a description that holds one is flagged. */
  readonly otherNames: readonly string[]
}

/** Why a tool cannot be used. */
export type ToolRefusal = Pick<SetAside, 'kind' | 'reason'>

const rawFields = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations']
const maxTitleChars = 256
/** So much of a tool's texts is looked through for orders and names. */
const maxSearchedChars = 100_000

/** One tool as its server sent it, checked and made fit for use, or why it cannot be used. */
export async function readServerTool(
  item: JsonObject,
  { originalName, name, maxDescriptionChars, otherNames }: ToolReading,
): Promise<ServerTool | ToolRefusal> {
  const given = definitionIn(item)
  const excess = exceeds(given, definitionLimits)
  if (excess !== undefined) {
    return {
      kind: 'too-large',
      reason: `Its definition ${excess}. Ask the maker of the server for a smaller one.`,
    }
  }
  // Its own copy: what is shown must be what the fingerprint is of.
  const raw = JSON.parse(JSON.stringify(given)) as RawDefinition
  const flags = flagList()
  const description = readDescription(raw.description, maxDescriptionChars, flags)
  const texts: string[] = [description.whole]
  const cleaning = { flags, maxDescriptionChars, texts, patternChars: 0 }
  const inputSchema = readToolSchema(raw.inputSchema ?? noInput(flags), 'inputSchema', cleaning)
  if (typeof inputSchema === 'string')
    return { kind: 'input-schema', reason: `Its input schema ${inputSchema}.` }
  const annotations = readAnnotations(raw.annotations)
  const title = readTitle(raw.title ?? annotations.title, flags)
  texts.push(title)
  noteOrders(texts.join('\n').slice(0, maxSearchedChars), otherNames, flags)
  const fingerprint = await digest(raw)
  return deepFreeze(
    defined({
      originalName,
      name,
      title: title === '' ? undefined : title,
      description: description.text,
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

function readDescription(raw: unknown, maxChars: number, flags: FlagList): CleanText {
  const clean = cleanText(typeof raw === 'string' ? raw : '', maxChars)
  noteText(clean, 'description', flags)
  if (clean.text !== '') return clean
  flags.add('no-description', 'description', 'The server does not say what this tool does.')
  return { ...clean, text: 'The server gives no description of this tool.' }
}

function readTitle(raw: unknown, flags: FlagList): string {
  if (typeof raw !== 'string') return ''
  noteText(cleanText(raw, maxTitleChars), 'title', flags)
  return oneLine(raw, maxTitleChars)
}

function noInput(flags: FlagList): JsonObject {
  flags.add(
    'no-input-schema',
    'inputSchema',
    'The server does not say what input this tool takes: it gets none.',
  )
  return { type: 'object', properties: {} }
}

function readOutput(
  raw: JsonValue | undefined,
  cleaning: Parameters<typeof readToolSchema>[2],
): JsonObject | undefined {
  if (raw === undefined || raw === null) return undefined
  const isObject = isRecord(raw) && raw.type === 'object'
  // A model does not get it, so that its texts raise no flags.
  const quiet = { ...cleaning, flags: flagList(), texts: [] }
  const schema = isObject ? readToolSchema(raw, 'outputSchema', quiet) : 'does not describe an object'
  if (typeof schema !== 'string') return schema
  cleaning.flags.add(
    'output-schema',
    'outputSchema',
    `The output schema ${schema.replace(/\.$/, '')}. The tool works without it; its results are not checked.`,
  )
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

function noteOrders(text: string, otherNames: readonly string[], flags: FlagList): void {
  const orders = findOrders(text)
  if (orders.length > 0) {
    const shown = orders.map((order) => `"${order}"`).join(', ')
    flags.add(
      'instructions',
      'description',
      `Its texts give a model orders: ${shown}. Read them before you trust it.`,
    )
  }
  const names = findNames(text, otherNames)
  if (names.length > 0) {
    flags.add(
      'names-other-tools',
      'description',
      `Its texts speak of other tools (${names.map((name) => oneLine(name, 64)).join(', ')}): they may change how a model uses those.`,
    )
  }
}
