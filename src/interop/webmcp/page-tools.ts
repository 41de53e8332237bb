import { readServerTools } from '../../mcp/definitions/read-server-tools.ts'
import type { ServerTool, SetAside } from '../../mcp/definitions/server-tool.ts'
import { sha256 } from '../../mcp/pins/sha256.ts'
import { defined } from '../../tool/defined.ts'
import { canonicalJson, type JsonObject, type JsonValue } from '../../tool/json-value.ts'
import { isRecord } from '../../tool/value-kinds.ts'
import type { WebMCPRegisteredTool } from './model-context.ts'
import type { WebMCPSettings } from './webmcp-options.ts'

/** The tools of one origin. */
export interface OriginTools {
  readonly origin: string
  readonly tools: readonly ServerTool[]
  readonly setAside: readonly SetAside[]
}

/**
 * Reads what a page lists, by origin: checked and bounded as the tools of an MCP server. Nothing that a page lists makes
 * this throw. What is of no wanted origin is passed over.
 */
export async function readPageTools(
  listed: readonly WebMCPRegisteredTool[],
  origins: readonly string[],
  settings: Pick<WebMCPSettings, 'maxTools' | 'maxDescriptionChars' | 'texts'>,
): Promise<readonly OriginTools[]> {
  const { maxTools, maxDescriptionChars, texts } = settings
  const spaces = namespacesOf(origins)
  return Promise.all(
    origins.map(async (origin): Promise<OriginTools> => {
      const own = listed.filter((tool) => tool.origin === origin).slice(0, maxTools * 2)
      const namespace = spaces.get(origin) as string
      const read = await readServerTools(own.map(readable), {
        namespace,
        maxTools,
        maxDescriptionChars,
        texts,
      })
      return { origin, tools: read.tools, setAside: read.setAside }
    }),
  )
}

/** Whether a page lists something that can be asked whose it is and how it is called: it may fail whoever reads it. */
export function isReadable(listed: unknown): listed is WebMCPRegisteredTool {
  if (!isRecord(listed)) return false
  try {
    return [listed.name, listed.origin, listed.window].length > 0
  } catch {
    return false
  }
}

/** Whether a tool is registered now just as it was when it was read. */
export function isStill(registered: WebMCPRegisteredTool, { originalName, raw }: ServerTool): boolean {
  return registered.name === originalName && canonicalJson(asItem(registered)) === canonicalJson(raw)
}

/** The same, also of one that a page has made to fail whoever reads it: it is refused for its schema then. */
function readable(registered: WebMCPRegisteredTool): JsonObject {
  try {
    return asItem(registered)
  } catch {
    return { name: String(registered.name), inputSchema: 'unreadable' }
  }
}

/** A registered tool as an MCP server would list it: its own copy. */
function asItem({ name, title, description, inputSchema, annotations }: WebMCPRegisteredTool): JsonObject {
  const { readOnlyHint, consequentialHint } = Object(annotations)
  const hints = defined({ readOnlyHint, destructiveHint: consequentialHint || undefined })
  const item = {
    ...{ name, description },
    title: title || undefined,
    inputSchema: schemaOf(inputSchema),
    annotations: Object.keys(hints).length > 0 ? hints : undefined,
  }
  return JSON.parse(JSON.stringify(item))
}

/** Chrome 149 to 153 give the schema as JSON text. What is no schema is left for the reader to refuse. */
function schemaOf(schema: JsonObject | string | undefined): JsonValue | undefined {
  if (typeof schema !== 'string') return schema
  try {
    return JSON.parse(schema)
  } catch {
    return schema
  }
}

/** For the names of the tools: `page`, or the host, and what tells apart those that would be the same. */
function namespacesOf(origins: readonly string[]): ReadonlyMap<string, string> {
  const plain = origins.map((origin) =>
    origin === globalThis.origin ? 'page' : new URL(origin).host.replace(/[^A-Za-z0-9]+/g, '_').slice(0, 32),
  )
  return new Map(
    origins.map((origin, index) => {
      const space = plain[index] as string
      // Of two where one goes on as the other ends, a tool of each could have the same name.
      const isShared =
        plain.some((other, at) => at !== index && `${other}_`.startsWith(`${space}_`)) ||
        plain.some((other, at) => at !== index && `${space}_`.startsWith(`${other}_`))
      return [origin, isShared ? `${space}_${sha256(origin).slice(0, 6)}` : space] as const
    }),
  )
}
