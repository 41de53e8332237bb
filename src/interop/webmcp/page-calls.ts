import type { ServerTool } from '../../mcp/definitions/server-tool.ts'
import type { ToolRunner } from '../../mcp/pinned-tool.ts'
import type { PinState } from '../../mcp/pins/check-pins.ts'
import { readCallResult } from '../../mcp/results/read-call-result.ts'
import type { ToolPins } from '../../mcp/tool-pins.ts'
import { errorToData } from '../../tool/error-data.ts'
import { ToolFailed } from '../../tool/errors.ts'
import type { JsonObject } from '../../tool/json-value.ts'
import type { RunContext } from '../../tool/run-context.ts'
import type { ToolResponse } from '../../tool/tool-response.ts'
import type { WebMCPContext, WebMCPRegisteredTool } from './model-context.ts'
import { pageResult } from './page-result.ts'
import { isStill } from './page-tools.ts'
import type { WebMCPSettings } from './webmcp-options.ts'

/** Runs the tools of one origin. */
export class PageCalls implements ToolRunner {
  readonly #context: WebMCPContext
  readonly #registered: () => Promise<readonly WebMCPRegisteredTool[]>
  readonly #pins: ToolPins
  readonly #settings: WebMCPSettings

  /** @param registered - Gives what the origin has registered now. */
  constructor(
    context: WebMCPContext,
    registered: () => Promise<readonly WebMCPRegisteredTool[]>,
    pins: ToolPins,
    settings: WebMCPSettings,
  ) {
    this.#context = context
    this.#registered = registered
    this.#pins = pins
    this.#settings = settings
  }

  async check(tool: ServerTool, context: RunContext): Promise<void> {
    await this.#current(tool)
    await this.#pins.check(tool, context)
  }

  pinOf(tool: ServerTool): PinState | undefined {
    return this.#pins.stateOf(tool)
  }

  async run(tool: ServerTool, input: JsonObject, context: RunContext): Promise<ToolResponse> {
    await this.#pins.use(tool, context)
    // Last of all: a yes was given to what the tool was, and a page may have another one under the name by now.
    const registered = await this.#current(tool)
    context.signal.throwIfAborted()
    const { maxResultChars, texts } = this.#settings
    try {
      const { signal } = context
      const raw = await this.#context.executeTool?.(registered, argument(input), { signal })
      return readCallResult(pageResult(raw), { toolName: context.toolName, maxResultChars, texts })
    } catch (error) {
      context.signal.throwIfAborted()
      throw new ToolFailed(`The page's tool "${tool.originalName}" failed: ${errorToData(error).message}`)
    }
  }

  /** @throws ToolFailed when the page has changed it or taken it away. */
  async #current(tool: ServerTool): Promise<WebMCPRegisteredTool> {
    const { texts } = this.#settings
    const found = (await this.#registered()).find((one) => isStill(one, tool))
    if (found === undefined) throw new ToolFailed(texts.toolReplaced(tool.originalName))
    return found
  }
}

/**
 * An input as every browser takes it: as an object since Chromium 156, as JSON text before and in the polyfill, which
 * make a text of whatever they are given.
 */
function argument(input: JsonObject): object {
  const text = JSON.stringify(input)
  return Object.defineProperty({ ...input }, Symbol.toPrimitive, { value: () => text })
}
