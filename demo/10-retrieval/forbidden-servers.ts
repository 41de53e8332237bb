import { button, element } from '../shared/element.ts'

/** Which servers are forbidden, and where a person changes that. */
export interface ForbiddenServers {
  /** A switch for each server. */
  readonly element: HTMLElement
  /** A button for each server that is forbidden, to allow it again. */
  readonly undo: HTMLElement
  readonly names: ReadonlySet<string>
  forbid(server: string): void
}

/** Makes both; `changed` is called when a server was forbidden or allowed. */
export function forbiddenServers(servers: readonly string[], changed: () => void): ForbiddenServers {
  const names = new Set<string>()
  const summary = element('summary')
  const undo = element('div', { class: 'row', role: 'group', 'aria-label': 'Servers that are forbidden' })
  const switches = new Map(
    servers.map((server) => [server, button(server, () => toggle(server), { class: 'chip server-switch' })]),
  )
  const show = () => {
    const rest = `${servers.length - names.size} of ${servers.length} servers are allowed`
    summary.textContent = names.size === 0 ? rest : `${rest}; forbidden: ${[...names].join(', ')}`
    for (const [server, each] of switches) each.ariaPressed = String(!names.has(server))
    undo.replaceChildren(...Array.from(names, (server) => undoButton(server)))
    undo.hidden = names.size === 0
  }
  const undoButton = (server: string) => {
    const allow = () => {
      toggle(server)
      // The button is gone: the focus stays near, and the page does not move.
      const next = undo.querySelector('button') ?? summary
      next.focus({ preventScroll: true })
    }
    return button(`Allow ${server} again`, allow, { class: 'chip' })
  }
  const toggle = (server: string) => {
    if (!names.delete(server)) names.add(server)
    show()
    changed()
  }
  show()
  const row = { class: 'row', role: 'group', 'aria-label': 'Servers that are allowed' }
  const view = element(
    'details',
    { class: 'note servers' },
    summary,
    element('p', { class: 'hint' }, 'Press one to forbid or allow it, for the search and for the agent.'),
    element('div', row, ...switches.values()),
  )
  return {
    element: view,
    undo,
    names,
    forbid: (server) => {
      if (!names.has(server)) toggle(server)
      // Its tools are gone, and with them the button that was pressed.
      const last = [...undo.querySelectorAll('button')].at(-1)
      last?.focus({ preventScroll: true })
    },
  }
}
