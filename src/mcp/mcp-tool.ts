import { defined } from '../tool/defined.ts'
import type { ServerTool } from './definitions/server-tool.ts'
import type { ClientSettings } from './mcp-options.ts'
import { PinnedTool, type ToolRunner } from './pinned-tool.ts'
import { pinnedServer } from './pins/server-pins.ts'

/** A tool of an MCP server. */
export class MCPTool extends PinnedTool {
  constructor(tool: ServerTool, settings: ClientSettings, runner: ToolRunner) {
    const { needsApproval, namespace, timeoutMs, url, expectedFingerprints } = settings
    const { originalName: name, title } = tool
    super(
      tool,
      {
        origin: `mcp:${namespace}`,
        metadata: { mcp: defined({ server: pinnedServer(namespace, url).url, name, title }) },
        needsApproval,
        timeoutMs,
        // A list that is not the expected one was refused when it was read.
        isExpected: expectedFingerprints !== undefined,
      },
      runner,
    )
  }
}
