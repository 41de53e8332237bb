import { Agent, confirmDialog, WorkerToolset } from 'offstage'
import { CalculatorTool } from 'offstage/tools'
import { codeView } from '../shared/code-view.ts'
import { button, workButton } from '../shared/element.ts'
import { eventLog } from '../shared/event-log.ts'
import { columns, emptyState, panel, row, statusLine } from '../shared/panel.ts'
import type { Story } from '../shared/story.ts'
import countErrorsSource from './count-errors.ts?raw'
import { paced } from './paced-model.ts'
import { restartService } from './restart-service.ts'
import restartServiceSource from './restart-service.ts?raw'
import { makeScript, question } from './script.ts'
import scriptSource from './script.ts?raw'
import type { tools } from './tools.worker.ts'
import { transcript } from './transcript.ts'

const pageCode = `const agent = new Agent({
  model,
  tools: [workerTools, new CalculatorTool(), restartService],
  confirm: confirmDialog(),
})
for await (const event of agent.stream(question)) show(event)`

/** A whole turn of an agent. */
export const agentStory: Story = {
  id: 'agent',
  name: 'Agent',
  title: 'An agent turn, every step real',
  lead: 'A script plays the model; the three logs are read in workers at the same time, the sum is computed, and the restart waits for your yes. Deny it, and the answer changes.',
  open: (page, leaving) => {
    const workerTools = new WorkerToolset<typeof tools>(
      () => new Worker(new URL('./tools.worker.ts', import.meta.url), { type: 'module' }),
    )
    leaving.addEventListener('abort', () => void workerTools.close())
    const log = eventLog('Every event of the run')
    const conversation = transcript(emptyState(`You will ask: “${question}”`))
    const status = statusLine('The agent waits for your question.')
    let stopping = new AbortController()
    const run = async () => {
      stopping = new AbortController()
      const signal = AbortSignal.any([leaving, stopping.signal])
      status.textContent = 'The agent works.'
      log.restart()
      conversation.ask(question)
      try {
        for await (const event of makeAgent(workerTools).stream(question, { signal })) {
          log.add(event)
          conversation.add(event)
          if (event.type === 'done')
            status.textContent = `Done: the run ended with ${event.result.finishReason}.`
        }
      } catch (error) {
        status.textContent = error instanceof Error ? error.message : String(error)
      }
    }
    page.append(
      panel(
        'The conversation',
        row(
          workButton('Ask the agent', run, { class: 'primary' }),
          button('Stop', () => stopping.abort()),
        ),
        status,
        conversation.element,
      ),
      panel('Every event', log.element),
      ...theCode(),
    )
  },
}

function theCode(): HTMLElement[] {
  return [
    columns(
      panel('In the worker', codeView(countErrorsSource, 'count-errors.ts')),
      panel(
        'On the page',
        codeView(restartServiceSource, 'restart-service.ts'),
        codeView(pageCode, 'The agent'),
      ),
    ),
    panel('The script', codeView(scriptSource, 'script.ts')),
  ]
}

function makeAgent(workerTools: WorkerToolset<typeof tools>): Agent {
  return new Agent({
    model: paced(makeScript()),
    tools: [workerTools, new CalculatorTool(), restartService],
    confirm: confirmDialog(),
  })
}
