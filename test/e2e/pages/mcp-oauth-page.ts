import { MCPClient, memoryPinStore, oauth, sessionTokenStore } from 'offstage/mcp'

/** From the address of the first load: the one that a sign-in leads back to does not have it. */
const setup = new URL(location.href).searchParams.get('server') === null ? readSetup() : keepSetup()

const client = new MCPClient({
  url: setup.server,
  namespace: 'guarded',
  needsApproval: false,
  pinStore: memoryPinStore(),
  auth: oauth({
    redirectUrl: setup.mode === 'redirect' ? location.pathname : './mcp-signed-in.html',
    mode: setup.mode,
    storage: sessionTokenStore(),
  }),
})

client.subscribe(() => {
  show('status', client.status.state)
  if (client.status.state === 'ready') void ask()
})
document.querySelector('#sign-in')?.addEventListener('click', () => {
  show('error', '')
  client.authorize().catch((error) => show('error', `${error.code}: ${error.message}`))
})
client.connect().catch((error) => show('error', `${error.code}: ${error.message}`))

async function ask(): Promise<void> {
  const outcome = await client.call('guarded_whoami', {})
  show('answer', JSON.stringify(outcome))
}

interface Setup {
  server: string
  mode: 'popup' | 'redirect'
}

function keepSetup(): Setup {
  sessionStorage.setItem('setup', JSON.stringify(Object.fromEntries(new URL(location.href).searchParams)))
  return readSetup()
}

function readSetup(): Setup {
  return JSON.parse(sessionStorage.getItem('setup') ?? '{}')
}

function show(id: string, text: string): void {
  const output = document.querySelector(`#${id}`)
  if (output !== null) output.textContent = text
}
