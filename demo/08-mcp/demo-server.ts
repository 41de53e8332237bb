import { element } from '../shared/element.ts'

/** Where `npm run demo:mcp` listens, unless it is told otherwise. */
export const demoServerUrl = 'http://127.0.0.1:4390/mcp'

/** What the server of the demo calls itself. */
export const demoServerName = 'offstage-demo'

/** How to start a server on this machine, in the panel that has no server yet. */
export function startHint(): HTMLElement[] {
  return [
    element(
      'p',
      { class: 'description' },
      'The demo has one that runs on this machine and needs no network. In the folder of Offstage:',
    ),
    element(
      'pre',
      { class: 'command', tabindex: '0', role: 'group', 'aria-label': 'Command' },
      element('code', {}, startCommand()),
    ),
    element(
      'p',
      { class: 'hint' },
      `It listens at ${demoServerUrl} and answers to pages of this machine. Any other server works that speaks Streamable HTTP and allows the page that asks it (CORS).`,
    ),
  ]
}

/** Has the demo server say something else about one of its tools. */
export async function changeDescription(server: URL): Promise<void> {
  const response = await fetch(new URL('/change-description', server), { method: 'POST' })
  if (!response.ok) throw new Error(`It answered with the status ${response.status}.`)
}

function startCommand(): string {
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(location.hostname)
  return isHere ? 'npm run demo:mcp' : `npm run demo:mcp -- --origin ${location.origin}`
}
