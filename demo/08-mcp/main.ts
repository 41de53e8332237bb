import { Grants, grantsElement } from 'offstage'
import { codeView } from '../shared/code-view.ts'
import { element } from '../shared/element.ts'
import { columns, panel, statusLine } from '../shared/panel.ts'
import type { Story } from '../shared/story.ts'
import { addForm } from './add-form.ts'
import { callPanel } from './call-panel.ts'
import { startHint } from './demo-server.ts'
import { ServerList } from './server-list.ts'
import { serversView } from './servers-view.ts'

const pageCode = `const files = new MCPClient({
  url: 'http://127.0.0.1:4390/mcp',
  namespace: 'files',
})
const agent = new Agent({
  model,
  tools: [files, workerTools],
  permissions: { allowOrigins: ['app', 'mcp:files'] },
  confirm: confirmDialog(),
})

// What it offers, and what a person should know:
await files.connect()
files.status     // { state: 'ready', … }
files.tools      // each with its flags and its pin
files.setAside   // [{ names, reason }]

// Once a person has read them; what changes later is asked about again:
await files.acceptTools(files.tools)
files.subscribe(() => draw(files))`

/** Tools of servers elsewhere, behind the same gate. */
export const mcpStory: Story = {
  id: 'mcp',
  name: 'MCP',
  title: 'Tools of a server that you need not trust',
  lead: 'Add an MCP server: its tools are checked, cleaned, pinned to what they were when you first saw them, and called through the same gate as all others. When the server changes one later, that tool is blocked until you have seen both versions and said yes.',
  open: (page, leaving) => {
    const grants = new Grants()
    const status = statusLine('No server was added.')
    const calls = callPanel(leaving)
    const servers = new ServerList({
      grants,
      onEvent: calls.hear,
      changed: () => {
        view.update()
        calls.offer(servers.all)
      },
    })
    leaving.addEventListener('abort', () => servers.close())
    const form = addForm((wanted) => {
      status.textContent = ''
      servers.add(wanted)
    })
    const view = serversView(servers, {
      call: calls.choose,
      removed: form.focus,
      say: (text) => {
        status.textContent = text
      },
    })
    page.append(
      columns(panel('Add a server', form.element, status), panel('No server at hand?', ...startHint())),
      panel('Servers', view.element),
      element('div', { class: 'console' }, calls.form, calls.outcome),
      element('div', { class: 'panel' }, grantsElement({ grants })),
      panel('The page', codeView(pageCode, 'With an agent')),
    )
  },
}
