import type { ServerTool } from '../../mcp/definitions/server-tool.ts'
import { PinnedTool, type ToolRunner } from '../../mcp/pinned-tool.ts'
import { defined } from '../../tool/defined.ts'
import { isRecord } from '../../tool/value-kinds.ts'
import type { WebMCPSettings } from './webmcp-options.ts'

/** A tool of a page or a frame: its calls run there. */
export class WebMCPTool extends PinnedTool {
  /** Whose it is, for example `https://shop.example`. */
  readonly pageOrigin: string

  constructor(tool: ServerTool, pageOrigin: string, settings: WebMCPSettings, runner: ToolRunner) {
    const { needsApproval, timeoutMs } = settings
    const { originalName: name, title } = tool
    super(
      tool,
      {
        origin: `webmcp:${pageOrigin}`,
        metadata: { webmcp: defined({ page: pageOrigin, name, title }) },
        needsApproval:
          typeof needsApproval === 'function'
            ? (call, context) => needsApproval({ ...call, page: pageOrigin }, context)
            : needsApproval,
        timeoutMs,
        isExpected: false,
      },
      runner,
    )
    this.pageOrigin = pageOrigin
  }
}

/** Whether this is a list of tools of pages, as a person was shown them. */
export function areShown(shown: unknown): boolean {
  return Array.isArray(shown) && shown.every((tool) => isRecord(tool) && typeof tool.pageOrigin === 'string')
}
