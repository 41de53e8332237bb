import type { ServerTool, SetAside } from '../../mcp/definitions/server-tool.ts'
import { ToolPins } from '../../mcp/tool-pins.ts'
import { defined } from '../../tool/defined.ts'
import { errorToData } from '../../tool/error-data.ts'
import type { WebMCPContext, WebMCPRegisteredTool } from './model-context.ts'
import { PageCalls } from './page-calls.ts'
import type { WebMCPSettings } from './webmcp-options.ts'
import { WebMCPTool } from './webmcp-tool.ts'

/** The tools of one origin, and what is pinned of them. */
export class PageOrigin {
  readonly #origin: string
  readonly #settings: WebMCPSettings
  readonly #pins: ToolPins
  readonly #calls: PageCalls
  /** A tool that did not change is the same object: a yes that was given to it still holds. */
  #made = new Map<string, WebMCPTool>()

  /**
   * @param registered - Gives what the origin has registered now.
   * @param changed - Called after the pin of a tool became another one.
   */
  constructor(
    origin: string,
    context: WebMCPContext,
    registered: () => Promise<readonly WebMCPRegisteredTool[]>,
    settings: WebMCPSettings,
    changed: () => void,
  ) {
    const { pinStore, texts } = settings
    this.#origin = origin
    this.#settings = settings
    // No MCP server can have this namespace: the pins of a page are its own.
    this.#pins = new ToolPins(
      defined({ namespace: 'webmcp:', url: new URL(origin), pinStore, texts }),
      changed,
    )
    this.#calls = new PageCalls(context, registered, this.#pins, settings)
  }

  /** Makes the tools, and pins those that were never there. */
  async take(
    read: readonly ServerTool[],
  ): Promise<{ readonly tools: readonly WebMCPTool[]; readonly unusable: readonly SetAside[] }> {
    const made = new Map<string, WebMCPTool>()
    const unusable: SetAside[] = []
    for (const tool of read) {
      const key = JSON.stringify([tool.name, tool.originalName, tool.fingerprint])
      try {
        const known = this.#made.get(key)
        made.set(key, known ?? new WebMCPTool(tool, this.#origin, this.#settings, this.#calls))
      } catch (error) {
        const reason = errorToData(error).message
        unusable.push({ names: [tool.originalName], kind: 'input-schema', reason })
      }
    }
    this.#made = made
    await this.#pins.checkAll(read)
    return { tools: [...made.values()], unusable }
  }

  /** Keeps that a person has accepted the tools; gives the names of those that are pinned as something else. */
  accept(tools: readonly ServerTool[]): Promise<readonly string[]> {
    return this.#pins.accept(tools)
  }
}
