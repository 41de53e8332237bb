import type { ToolRetriever } from 'offstage/retrieval'
import { paced } from '../05-agent/paced-model.ts'
import { transcript } from '../05-agent/transcript.ts'
import { button, element, workButton } from '../shared/element.ts'
import { emptyState, panel, row, statusLine } from '../shared/panel.ts'
import { offeredTools } from './offered-tools.ts'
import { makeAgent } from './retrieval-agent.ts'
import { makeScript, question } from './script.ts'

/** What the panel is made with. */
export interface AgentPanelOptions {
  readonly retriever: ToolRetriever
  /** How many tools there are. */
  readonly total: number
  /** The names of the tools that are forbidden now. */
  denied(): readonly string[]
  readonly leaving: AbortSignal
}

/** An agent that is offered few of the tools, and searches for one more. */
export function agentPanel({ retriever, total, denied, leaving }: AgentPanelOptions): HTMLElement {
  const conversation = transcript(emptyState(`You will ask: “${question}”`))
  const status = statusLine('The agent waits for your question.')
  let stopping = new AbortController()
  const run = async () => {
    stopping = new AbortController()
    const signal = AbortSignal.any([leaving, stopping.signal])
    status.textContent = 'The agent works.'
    conversation.ask(question)
    const offered = offeredTools(total)
    try {
      const agent = makeAgent(paced(makeScript()), retriever, denied())
      for await (const event of agent.stream(question, { signal })) {
        const tools = event.type === 'step-start' ? offered(event) : undefined
        if (tools !== undefined) conversation.insert(tools)
        conversation.add(event)
        if (event.type === 'done') status.textContent = 'Done.'
      }
    } catch (error) {
      status.textContent = error instanceof Error ? error.message : String(error)
    }
  }
  return panel(
    'An agent with all of them',
    element('p', { class: 'description' }, explanation),
    row(
      workButton('Ask the agent', run, { class: 'primary' }),
      button('Stop', () => stopping.abort()),
    ),
    status,
    conversation.element,
  )
}

const explanation =
  'It is offered the eight that fit the question, and a tool that searches the others. What that finds joins the run, and goes through the same gate. Servers that are forbidden above are forbidden to the agent too.'
