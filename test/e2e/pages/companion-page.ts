import { type ApprovalRequest, ToolExecutor } from 'offstage'
import { connectCompanion } from 'offstage/mcp'
import { CLITool } from 'offstage/tools'

/** What companion.html does for a test. */
export interface CompanionPage {
  /** Pairs with a companion; gives the code and the words of the error when that fails. */
  connect(link: string): Promise<'connected' | readonly [code: string, message: string]>
  /** Runs a command and calls a tool of a server, with a yes to everything. */
  use(command: string, server: string, tool: string, input: object): Promise<CompanionReport>
}

/** What became of it. */
export interface CompanionReport {
  readonly command: readonly [outcome: string, text: string]
  readonly tool: readonly [outcome: string, text: string]
  /** Why each was asked about. */
  readonly reasons: readonly string[]
}

let companion: Awaited<ReturnType<typeof connectCompanion>> | undefined

const page: CompanionPage = {
  async connect(link) {
    try {
      companion = await connectCompanion(link)
      return 'connected'
    } catch (error) {
      const { code, message } = error as { code: string; message: string }
      return [code, message]
    }
  },
  async use(command, server, tool, input) {
    if (companion === undefined) throw new Error('The page is not connected.')
    const reasons: string[] = []
    const gate = new ToolExecutor({
      tools: [new CLITool({ companion }), companion.server(server)],
      confirm: (request: ApprovalRequest) => {
        reasons.push(request.reasons.join('\n'))
        return true
      },
    })
    const ran = await gate.execute({ name: 'shell', input: { command } })
    const called = await gate.execute({ name: `${server}_${tool}`, input })
    return {
      command: [ran.outcome, ran.response.text],
      tool: [called.outcome, called.response.text],
      reasons,
    }
  },
}

Object.assign(globalThis, { companion: page })
