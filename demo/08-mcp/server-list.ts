import { confirmDialog, type ExecutionEvent, elicitDialog, type Grants, ToolExecutor } from 'offstage'
import { MCPClient, type MCPTool } from 'offstage/mcp'
import type { WantedServer } from './add-form.ts'

/** A tool may ask the person in the middle of its call; that takes longer than a call. In milliseconds. */
const timeoutMs = 120_000

/** A server that was added, with a gate of its own. */
export interface AddedServer {
  readonly namespace: string
  readonly url: URL
  readonly needsApproval: boolean
  readonly client: MCPClient
  readonly executor: ToolExecutor
}

/** A tool that can be called, and where. */
export interface CallableTool {
  readonly server: AddedServer
  readonly tool: MCPTool
}

/** What the list of servers is made with. */
export interface ServerListOptions {
  readonly grants: Grants
  onEvent(event: ExecutionEvent): void
  /** Called whenever a server was added, has changed or was removed. */
  changed(): void
}

/** The servers of the page. */
export class ServerList {
  readonly #options: ServerListOptions
  readonly #servers = new Map<string, { readonly server: AddedServer; readonly stop: () => void }>()

  constructor(options: ServerListOptions) {
    this.#options = options
  }

  get all(): readonly AddedServer[] {
    return Array.from(this.#servers.values(), ({ server }) => server)
  }

  /** Adds a server, and connects. Throws for what cannot be one. */
  add({ url, namespace, needsApproval }: WantedServer): AddedServer {
    if (this.#servers.has(namespace)) {
      throw new Error(`The namespace "${namespace}" is taken. Remove that server, or give this one another.`)
    }
    const { grants, onEvent, changed } = this.#options
    const elicit = elicitDialog()
    const client = new MCPClient({ url, namespace, needsApproval, elicit, timeoutMs })
    const executor = new ToolExecutor({ tools: [client], confirm: confirmDialog(), grants, onEvent })
    const server = { namespace, url: new URL(url), needsApproval, client, executor }
    this.#servers.set(namespace, { server, stop: client.subscribe(changed) })
    changed()
    this.connect(server)
    return server
  }

  /** Tries to connect. Why it does not work is in the status. */
  connect({ client }: AddedServer): void {
    client.connect().catch(() => {})
  }

  remove({ namespace }: AddedServer): void {
    const found = this.#servers.get(namespace)
    if (found === undefined) return
    found.stop()
    this.#servers.delete(namespace)
    void found.server.client.close()
    this.#options.changed()
  }

  close(): void {
    for (const server of this.all) this.remove(server)
  }
}
