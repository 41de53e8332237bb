import type { JsonObject } from '../../tool/json-value.ts'
import { isRecord } from '../../tool/value-kinds.ts'
import { oneLine } from './clean-text.ts'
import { type DefinitionTexts, definitionTextsEn } from './definition-texts.ts'
import { nameTools } from './name-tools.ts'
import { readServerTool } from './read-server-tool.ts'
import type { ServerTool, SetAside } from './server-tool.ts'

/** How a server's tools are read. */
export interface ServerToolsOptions {
  /** In front of each name. Already checked: 1 to 64 letters, digits, `_` or `-`. */
  readonly namespace: string
  /** Of one server. @default 128 */
  readonly maxTools?: number | undefined
  /** Of one text for the model, in UTF-16 units. @default 4096 */
  readonly maxDescriptionChars?: number | undefined
  /** @default English */
  readonly texts?: DefinitionTexts | undefined
}

/** The tools of a server that can be used, in the server's order, and why the others cannot. */
export interface ServerTools {
  readonly tools: readonly ServerTool[]
  readonly setAside: readonly SetAside[]
}

/** All definitions of one server together, in characters of JSON: they are kept, compared and shown. */
const maxTotalChars = 4 * 1024 * 1024
const maxNameChars = 256
const maxShownChars = 80

/**
 * Reads what a server listed into tools that are safe to show and to use. A tool that cannot be used is set
 * aside with a reason; nothing that a server sends makes this throw.
 */
export async function readServerTools(
  items: readonly JsonObject[],
  { namespace, maxTools = 128, maxDescriptionChars = 4096, texts = definitionTextsEn }: ServerToolsOptions,
): Promise<ServerTools> {
  const { named, setAside } = byOriginalName(items, texts)
  const names = nameTools(namespace, [...named.keys()])
  const tools: ServerTool[] = []
  const left: string[] = []
  const room = { maxChars: maxTotalChars, left: maxTotalChars }
  for (const [originalName, item] of named) {
    if (tools.length >= maxTools) {
      left.push(originalName)
      continue
    }
    const read = await readSafely(item, {
      originalName,
      name: names.get(originalName) as string,
      maxDescriptionChars,
      otherNames: [...names.keys()].filter((other) => other !== originalName),
      ...{ room, texts },
    })
    if ('raw' in read) tools.push(read)
    else setAside.push({ names: [shown(originalName)], ...read })
  }
  if (left.length > 0) {
    const reason = texts.tooManyTools(maxTools, left.length)
    setAside.push({ names: left.map(shown), kind: 'too-many', reason })
  }
  return { tools, setAside }
}

type Reading = Parameters<typeof readServerTool>[1]

async function readSafely(item: JsonObject, reading: Reading): ReturnType<typeof readServerTool> {
  try {
    return await readServerTool(item, reading)
  } catch (error) {
    const why = oneLine(error instanceof Error ? error.message : String(error), maxNameChars)
    return { kind: 'unreadable', reason: reading.texts.unreadableDefinition(why) }
  }
}

/** The items that have a name of their own, and what is wrong with the others. */
function byOriginalName(
  items: readonly JsonObject[],
  texts: DefinitionTexts,
): {
  readonly named: ReadonlyMap<string, JsonObject>
  readonly setAside: SetAside[]
} {
  const groups = new Map<string, JsonObject[]>()
  const setAside: SetAside[] = []
  for (const item of items) {
    const name: unknown = isRecord(item) ? item.name : undefined
    const problem = nameProblem(name, texts)
    if (problem !== undefined) {
      const names = typeof name === 'string' && name !== '' ? [shown(name)] : []
      setAside.push({ names, kind: 'unreadable', reason: problem })
      continue
    }
    const group = groups.get(name as string)
    if (group === undefined) groups.set(name as string, [item])
    else group.push(item)
  }
  const named = new Map<string, JsonObject>()
  for (const [name, [first, ...more]] of groups) {
    if (first !== undefined && more.length === 0) named.set(name, first)
    else {
      const reason = texts.duplicateName(more.length + 1)
      setAside.push({ names: [shown(name)], kind: 'duplicate', reason })
    }
  }
  return { named, setAside }
}

function nameProblem(name: unknown, texts: DefinitionTexts): string | undefined {
  if (typeof name !== 'string') return texts.noName
  if (name.trim() === '') return texts.emptyName
  return name.length > maxNameChars ? texts.longName(name.length, maxNameChars) : undefined
}

function shown(name: string): string {
  return oneLine(name, maxShownChars)
}
