import type { MCPStatus, MCPTool } from 'offstage/mcp'
import { button, element, workButton } from '../shared/element.ts'
import { emptyState, row } from '../shared/panel.ts'
import { acceptNotice } from './accept-notice.ts'
import { demoServerName } from './demo-server.ts'
import type { AddedServer } from './server-list.ts'
import { setAsideRows, toolRows } from './tool-rows.ts'

/** What the buttons of a server do. */
export interface ServerPresses {
  /** Puts a tool into the panel where it is called. */
  call(tool: MCPTool): void
  connect(): void
  changeDescription(): Promise<void>
  /** Keeps that the person has read these tools. */
  accept(shown: readonly MCPTool[]): Promise<void>
  remove(): void
}

/** A server, drawn. */
export interface ServerCard {
  readonly element: HTMLElement
  /** Draws what is known now. */
  update(): void
}

const states: Readonly<Record<MCPStatus['state'], readonly [words: string, tone: string]>> = {
  idle: ['not connected', 'caution'],
  connecting: ['connecting', 'caution'],
  ready: ['ready', 'good'],
  'needs-authorization': ['sign in first', 'caution'],
  failed: ['failed', ''],
}

/** Makes the card of a server. Its buttons stay where they are, so that none loses the focus while things change. */
export function serverCard(
  { namespace, url, needsApproval, client }: AddedServer,
  press: ServerPresses,
): ServerCard {
  const id = `mcp-server-${namespace}`
  const badge = element('span', { class: 'badge' })
  const facts = element('p', { class: 'hint' })
  const body = element('div', { class: 'mcp-body' })
  const heading = element('h3', { id, tabindex: '-1' }, namespace)
  const notice = acceptNotice(async (shown) => {
    await press.accept(shown)
    // The button that had the focus is gone with its question.
    if (notice.element.hidden) heading.focus()
  })
  const again = button('Connect again', press.connect)
  const change = workButton('Change a description', press.changeDescription)
  const remove = button('Remove', press.remove, { 'aria-label': `Remove ${namespace}` })
  const card = element(
    'li',
    { class: 'mcp-server', 'aria-labelledby': id },
    element('div', { class: 'mcp-server-head' }, heading, badge, row(change, again, remove)),
    facts,
    notice.element,
    body,
  )
  const update = () => {
    const { status } = client
    const [words, tone] = states[status.state]
    badge.textContent = words
    badge.className = `badge ${tone}`
    const isReady = status.state === 'ready'
    facts.textContent = [
      isReady ? `${status.server.name} ${status.server.version}` : '',
      url.href,
      needsApproval ? 'asks before each call' : 'asks only about what has changed',
    ]
      .filter((part) => part !== '')
      .join(' · ')
    change.hidden = !isReady || status.server.name !== demoServerName
    again.hidden = isReady || status.state === 'connecting'
    notice.update(client)
    const focused = body.contains(document.activeElement) ? document.activeElement?.ariaLabel : undefined
    body.replaceChildren(...bodyOf(status))
    // The list is drawn anew whenever the server changes it; who was on a tool stays on it.
    if (focused) body.querySelector<HTMLElement>(`[aria-label="${CSS.escape(focused)}"]`)?.focus()
  }
  const bodyOf = (status: MCPStatus): HTMLElement[] => {
    if ('reason' in status) return [element('div', { class: 'trouble' }, element('p', {}, status.reason))]
    if (status.state !== 'ready') return [emptyState('It is asked for its tools.')]
    const { tools, setAside } = client
    return [
      ...(tools.length === 0 ? [] : [toolRows(tools, press.call)]),
      ...(setAside.length === 0 ? [] : [setAsideRows(setAside)]),
    ]
  }
  update()
  return { element: card, update }
}
