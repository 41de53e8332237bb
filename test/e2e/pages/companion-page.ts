import { type ApprovalRequest, ToolExecutor, withoutFence } from 'offstage'
import { connectCompanion } from 'offstage/mcp'
import { CLITool, mediaWikiSource, SearchTool } from 'offstage/tools'

/** What companion.html does for a test. */
export interface CompanionPage {
  /** Pairs with a companion; gives the code and the words of the error when that fails. */
  connect(link: string): Promise<'connected' | readonly [code: string, message: string]>
  /** Runs a command and calls tools of servers, with a yes to everything. */
  use(command: string, calls: readonly ServerCall[]): Promise<CompanionReport>
  /** Searches a wiki, without a companion. */
  searchWiki(apiUrl: string, query: string): Promise<readonly [outcome: string, text: string]>
}

/** A call of a tool of a server that the companion bridges. */
export interface ServerCall {
  readonly server: string
  readonly tool: string
  readonly input: object
}

/** What became of it. */
export interface CompanionReport {
  readonly command: readonly [outcome: string, text: string]
  readonly tools: readonly (readonly [outcome: string, text: string])[]
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
  async use(command, calls) {
    const source = companion
    if (source === undefined) throw new Error('The page is not connected.')
    const reasons: string[] = []
    const servers = [...new Set(calls.map(({ server }) => server))]
    const gate = new ToolExecutor({
      tools: [new CLITool({ companion: source }), ...servers.map((server) => source.server(server))],
      confirm: (request: ApprovalRequest) => {
        reasons.push(request.reasons.join('\n'))
        return true
      },
    })
    const ran = await gate.execute({ name: 'shell', input: { command } })
    const called: [string, string][] = []
    for (const { server, tool, input } of calls) {
      const { outcome, response } = await gate.execute({ name: `${server}_${tool}`, input })
      called.push([outcome, withoutFence(response.text)])
    }
    return { command: [ran.outcome, withoutFence(ran.response.text)], tools: called, reasons }
  },
  async searchWiki(apiUrl, query) {
    const gate = new ToolExecutor({ tools: [new SearchTool({ sources: [mediaWikiSource({ apiUrl })] })] })
    const { outcome, response } = await gate.execute({ name: 'search', input: { query } })
    return [outcome, response.text]
  },
}

Object.assign(globalThis, { companion: page })
