import type { MCPTool } from 'offstage/mcp'
import { element } from '../shared/element.ts'
import { emptyState } from '../shared/panel.ts'
import { countText } from '../shared/time-text.ts'
import { changeDescription } from './demo-server.ts'
import { type ServerCard, serverCard } from './server-card.ts'
import type { AddedServer, ServerList } from './server-list.ts'

/** All servers, drawn. */
export interface ServersView {
  readonly element: HTMLElement
  update(): void
}

/** What the view does for the page. */
export interface ServersViewActions {
  call(toolName: string): void
  /** The button that had the focus is gone with its server. */
  removed(): void
  say(text: string): void
}

/** Makes the list of cards. */
export function serversView(servers: ServerList, { call, removed, say }: ServersViewActions): ServersView {
  const nothing = emptyState('No server was added. Its tools, and what is odd about them, will be here.')
  const list = element('ul', { class: 'mcp-servers' })
  const cards = new Map<AddedServer, ServerCard>()
  const told = new Map<AddedServer, string>()
  const makeCard = (server: AddedServer) =>
    serverCard(server, {
      call: ({ name }) => call(name),
      connect: () => servers.connect(server),
      changeDescription: () => change(server, say),
      accept: (shown) => accept(server, shown, say),
      remove: () => {
        servers.remove(server)
        say(`${server.namespace} was removed. Its pins stay, for when it comes back.`)
        removed()
      },
    })
  const update = () => {
    const { all } = servers
    nothing.hidden = all.length > 0
    for (const [server, card] of cards) {
      if (all.includes(server)) continue
      card.element.remove()
      cards.delete(server)
    }
    for (const server of all) {
      const card = cards.get(server) ?? makeCard(server)
      if (!cards.has(server)) list.append(card.element)
      cards.set(server, card)
      card.update()
      const words = stateWords(server)
      if (told.get(server) === words) continue
      told.set(server, words)
      say(words)
    }
  }
  return { element: element('div', {}, nothing, list), update }
}

function stateWords({ namespace, client }: AddedServer): string {
  const { status, tools, setAside } = client
  if (status.state === 'failed') return `${namespace} cannot be used.`
  if (status.state === 'needs-authorization') return `${namespace} wants you to sign in first.`
  if (status.state !== 'ready') return `${namespace} is being connected.`
  const aside = setAside.length === 0 ? '' : `, ${countText(setAside.length)} set aside`
  return `${namespace} is ready: ${countText(tools.length)} tools${aside}.`
}

async function accept(
  { namespace, client }: AddedServer,
  shown: readonly MCPTool[],
  say: (text: string) => void,
): Promise<void> {
  try {
    await client.acceptTools(shown)
    say(`You have accepted ${countText(shown.length)} tools of ${namespace}, as they are now.`)
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
  }
}

async function change({ namespace, url }: AddedServer, say: (text: string) => void): Promise<void> {
  try {
    await changeDescription(url)
    say(`${namespace} now describes get_weather in other words.`)
  } catch (error) {
    say(`${namespace} could not be asked for that: ${error instanceof Error ? error.message : String(error)}`)
  }
}
