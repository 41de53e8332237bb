import { element } from '../shared/element.ts'
import type { AddedServer, CallableTool } from './server-list.ts'

/** A list of the tools of all servers. */
export interface ToolChoice {
  readonly element: HTMLSelectElement
  readonly chosen: CallableTool | undefined
  offer(servers: readonly AddedServer[]): void
  choose(toolName: string): void
}

/** Makes an empty list; `chose` is told each other choice, and each change of the tool that is chosen. */
export function toolChoice(chose: (chosen: CallableTool) => void): ToolChoice {
  const select = element('select', { id: 'mcp-tool' })
  let offered = new Map<string, CallableTool>()
  let chosen: CallableTool | undefined
  const tell = () => {
    const next = offered.get(select.value)
    const isSame = next?.server === chosen?.server && fingerprintOf(next) === fingerprintOf(chosen)
    chosen = next
    if (next !== undefined && !isSame) chose(next)
  }
  select.addEventListener('change', tell)
  const offer = (servers: readonly AddedServer[]) => {
    const { value } = select
    offered = new Map()
    const groups: HTMLElement[] = []
    for (const server of servers) {
      const { tools } = server.client
      if (tools.length === 0) continue
      for (const tool of tools) offered.set(tool.name, { server, tool })
      const options = tools.map(({ name }) => element('option', {}, name))
      groups.push(element('optgroup', { label: server.namespace }, ...options))
    }
    select.replaceChildren(...groups)
    if (offered.has(value)) select.value = value
    tell()
  }
  return {
    element: select,
    get chosen() {
      return chosen
    },
    offer,
    choose: (toolName) => {
      select.value = toolName
      tell()
    },
  }
}

function fingerprintOf(callable: CallableTool | undefined): string | undefined {
  return callable?.tool.serverFingerprint
}
