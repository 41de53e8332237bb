import { errorToData } from '../tool/error-data.ts'
import type { McpConnection } from './connection/mcp-connection.ts'
import { readServerTools } from './definitions/read-server-tools.ts'
import type { ServerTool, SetAside } from './definitions/server-tool.ts'
import type { ClientSettings } from './mcp-options.ts'
import { textsOf } from './mcp-texts.ts'
import { MCPTool } from './mcp-tool.ts'
import type { ToolRunner } from './pinned-tool.ts'
import { checkExpected } from './pins/expected-fingerprints.ts'
import type { ToolPins } from './tool-pins.ts'

/** More pages than this are not read. */
const maxPages = 100

/** What was read of a server's tools. */
export interface LoadedTools {
  readonly tools: readonly MCPTool[]
  readonly byName: ReadonlyMap<string, MCPTool>
  readonly setAside: readonly SetAside[]
  /** Why there may be more. */
  readonly incomplete?: string
  /** Equal for readings between which nothing changed. */
  readonly identity: string
}

interface LoadLimits {
  readonly signal?: AbortSignal
  /** For the list. @default the client's */
  readonly timeoutMs?: number
}

/** Before anything was read. */
export const noTools: LoadedTools = { tools: [], byName: new Map(), setAside: [], identity: '' }

/** Reads the tools of a server, and makes those that can be used. */
export class ToolLoader {
  readonly #settings: ClientSettings
  readonly #runner: ToolRunner
  readonly #pins: ToolPins
  /** A tool that did not change is the same object: a yes that was given to it still holds. */
  #made = new Map<string, MCPTool>()

  constructor(settings: ClientSettings, runner: ToolRunner, pins: ToolPins) {
    this.#settings = settings
    this.#runner = runner
    this.#pins = pins
  }

  /**
   * @throws McpError when the server cannot be asked; ToolError when it offers anything else than what is expected:
   * then none of its tools may be used.
   */
  async load(connection: McpConnection, limits: LoadLimits = {}): Promise<LoadedTools> {
    const { namespace, maxTools, maxDescriptionChars, expectedFingerprints } = this.#settings
    const { signal, timeoutMs = this.#settings.timeoutMs } = limits
    const { items, incomplete } = await connection.listTools({
      maxPages,
      // A few more than are used, so that it can be said what they are.
      maxItems: maxTools * 2,
      timeoutMs,
      signal,
    })
    const read = await readServerTools(items, {
      ...{ namespace, maxTools, maxDescriptionChars },
      texts: textsOf(this.#settings),
    })
    const { tools, unusable } = this.#make(read.tools)
    // Nothing of a server that is not the expected one may be pinned as trusted.
    if (expectedFingerprints !== undefined) checkExpected(read.tools, expectedFingerprints, namespace)
    await this.#pins.checkAll(read.tools)
    const setAside = [...read.setAside, ...unusable]
    return Object.freeze({
      tools: Object.freeze(tools),
      byName: new Map(tools.map((tool) => [tool.name, tool])),
      setAside: Object.freeze(setAside),
      ...(incomplete === undefined ? {} : { incomplete }),
      identity: JSON.stringify([
        tools.map((tool) => [keyOf(tool), tool.pin?.state === 'drifted']),
        ...[setAside, incomplete],
      ]),
    })
  }

  #make(read: readonly ServerTool[]): { readonly tools: MCPTool[]; readonly unusable: SetAside[] } {
    const made = new Map<string, MCPTool>()
    const unusable: SetAside[] = []
    for (const tool of read) {
      const key = keyOf({ ...tool, serverFingerprint: tool.fingerprint })
      try {
        made.set(key, this.#made.get(key) ?? new MCPTool(tool, this.#settings, this.#runner))
      } catch (error) {
        const reason = errorToData(error).message
        unusable.push({ names: [tool.originalName], kind: 'input-schema', reason })
      }
    }
    this.#made = made
    return { tools: [...made.values()], unusable }
  }
}

function keyOf({
  name,
  originalName,
  serverFingerprint,
}: Pick<MCPTool, 'name' | 'originalName' | 'serverFingerprint'>): string {
  return JSON.stringify([name, originalName, serverFingerprint])
}
