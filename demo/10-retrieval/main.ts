import { codeView } from '../shared/code-view.ts'
import { columns, panel } from '../shared/panel.ts'
import type { Story } from '../shared/story.ts'
import { now } from '../shared/time-text.ts'
import { agentPanel } from './agent-panel.ts'
import { makeCatalogue } from './catalogue.ts'
import { forbiddenServers } from './forbidden-servers.ts'
import { makeRetriever } from './retrieval-agent.ts'
import agentSource from './retrieval-agent.ts?raw'
import scriptSource from './script.ts?raw'
import { searchPanel } from './search-panel.ts'
import { listTools } from './tool-list.ts'

/** A catalogue that no prompt should hold, and the few tools of it that are offered. */
export const retrievalStory: Story = {
  id: 'retrieval',
  name: 'Retrieval',
  title: 'Five hundred tools, eight in the prompt',
  lead: 'A model that is offered hundreds of tools reads all their schemas at each step, and chooses worse. Here each question finds the eight that fit it, on this page, with no server behind it; what else turns out to be needed, the agent looks for itself.',
  open: (page, leaving) => {
    const servers = makeCatalogue()
    const retriever = makeRetriever(servers)
    leaving.addEventListener('abort', () => void retriever.close())
    const tools = listTools(servers)
    const names = servers.map(({ name }) => name)
    const forbidden = forbiddenServers(names, () => search.again())
    const denied = () =>
      [...tools].flatMap(([name, { server }]) => (forbidden.names.has(server) ? [name] : []))
    const search = searchPanel({ tools, retriever, forbidden, leaving })
    const startedAt = now()
    retriever.index().then(
      () => search.built(now() - startedAt),
      (error: unknown) => {
        if (!leaving.aborted) search.failed(error)
      },
    )
    page.append(
      search.element,
      agentPanel({ retriever, total: tools.size, denied, leaving }),
      columns(
        panel('The code', codeView(agentSource, 'retrieval-agent.ts')),
        panel('The script', codeView(scriptSource, 'script.ts')),
      ),
    )
  },
}
