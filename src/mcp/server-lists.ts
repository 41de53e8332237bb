import { defined } from '../tool/defined.ts'
import type { JsonObject } from '../tool/json-value.ts'
import { isRecord } from '../tool/value-kinds.ts'
import type { McpConnection, McpList, McpListLimits, McpRequestOptions } from './connection/mcp-connection.ts'
import { cleanText, oneLine } from './definitions/clean-text.ts'
import { hiddenNames } from './definitions/hidden-characters.ts'
import type { ClientSettings } from './mcp-options.ts'
import { type MCPTexts, textsOf } from './mcp-texts.ts'
import { type PromptMessages, readPromptMessages } from './results/read-prompt-messages.ts'
import { type ResourceContents, readResourceContents } from './results/read-resource-contents.ts'

/** More pages or items of a list than these are not read. */
const maxPages = 100
const maxItems = 1_000
const maxNameChars = 200
/** Longer names of prompts and their arguments are not used. */
const maxWireChars = 256

/** What a server has of one kind. */
export interface MCPList<Item> {
  readonly items: readonly Item[]
  /** Why there may be more: reading ended early, or some of it could not be read. */
  readonly incomplete?: string
}

/** What is told of everything that a server has, in its own words, without what cannot be seen in them. */
interface Described {
  readonly name: string
  readonly title?: string
  readonly description?: string
}

/** Something that can be read from a server. */
export interface MCPResource extends Described {
  /** For `readResource`. */
  readonly uri: string
  readonly mimeType?: string
  /** In bytes, as the server says. */
  readonly size?: number
}

/** Resources whose addresses are made from a pattern (RFC 6570). */
export interface MCPResourceTemplate extends Described {
  readonly uriTemplate: string
  readonly mimeType?: string
}

/** A text of the server that a person can choose. */
export interface MCPPrompt extends Described {
  readonly arguments: readonly (Described & { readonly required: boolean })[]
}

/** What a client can ask of a server beside its tools. */
export interface ServerLists {
  listResources(connection: McpConnection, settings: ClientSettings): Promise<MCPList<MCPResource>>
  listResourceTemplates(
    connection: McpConnection,
    settings: ClientSettings,
  ): Promise<MCPList<MCPResourceTemplate>>
  listPrompts(connection: McpConnection, settings: ClientSettings): Promise<MCPList<MCPPrompt>>
  readResource(connection: McpConnection, uri: string, options: McpRequestOptions): Promise<ResourceContents>
  getPrompt(
    connection: McpConnection,
    prompt: { readonly name: string; readonly input: Readonly<Record<string, string>> },
    settings: ClientSettings,
    options: McpRequestOptions,
  ): Promise<PromptMessages>
}

/** Asks a server for what it has beside tools. */
export const serverLists: ServerLists = {
  listResources: async (connection, settings) =>
    readList(await connection.listResources(limitsOf(settings)), textsOf(settings), (item) => {
      const { uri, mimeType, size } = item
      if (typeof uri !== 'string') return undefined
      return defined({
        ...described(item, settings),
        uri,
        mimeType: oneLineOf(mimeType),
        size: typeof size === 'number' ? size : undefined,
      })
    }),
  listResourceTemplates: async (connection, settings) =>
    readList(await connection.listResourceTemplates(limitsOf(settings)), textsOf(settings), (item) => {
      const { uriTemplate, mimeType } = item
      if (typeof uriTemplate !== 'string') return undefined
      return defined({ ...described(item, settings), uriTemplate, mimeType: oneLineOf(mimeType) })
    }),
  listPrompts: async (connection, settings) =>
    readList(await connection.listPrompts(limitsOf(settings)), textsOf(settings), (item) => {
      const given = Array.isArray(item.arguments) ? item.arguments.filter(isNamed) : []
      // The server knows them by no other names.
      if (![item, ...given].every(isSeen)) return undefined
      return {
        ...described(item, settings),
        // For the wire: as the server wrote it.
        name: String(item.name),
        arguments: given.map((argument) => ({
          ...described(argument, settings),
          name: String(argument.name),
          required: argument.required === true,
        })),
      }
    }),
  readResource: async (connection, uri, options) =>
    readResourceContents(await connection.readResource(uri, options)),
  getPrompt: async (connection, { name, input }, settings, options) =>
    readPromptMessages(await connection.getPrompt(name, input, options), {
      maxChars: settings.maxResultChars,
      texts: textsOf(settings),
    }),
}

function limitsOf({ timeoutMs }: ClientSettings): McpListLimits {
  return { maxPages, maxItems, timeoutMs }
}

function readList<Item>(
  { items, incomplete }: McpList,
  { unreadableItems }: MCPTexts,
  read: (item: JsonObject) => Item | undefined,
): MCPList<Item> {
  const readable = items.map(read).filter((item) => item !== undefined)
  const lost = items.length - readable.length
  const reasons = [incomplete, lost === 0 ? undefined : unreadableItems(lost)]
  const why = reasons.filter((reason) => reason !== undefined).join('; ')
  return why === '' ? { items: readable } : { items: readable, incomplete: why }
}

function described(item: JsonObject, settings: ClientSettings): Described {
  const { name, title, description } = item
  return defined({
    name: oneLineOf(name) ?? '',
    title: oneLineOf(title),
    description:
      typeof description === 'string'
        ? cleanText(description, settings.maxDescriptionChars, textsOf(settings)).text
        : undefined,
  })
}

function oneLineOf(value: unknown): string | undefined {
  return typeof value === 'string' ? oneLine(value, maxNameChars) : undefined
}

function isNamed(value: unknown): value is JsonObject {
  return isRecord(value) && typeof value.name === 'string'
}

function isSeen({ name }: JsonObject): boolean {
  return typeof name === 'string' && name.length <= maxWireChars && hiddenNames(name) === ''
}
