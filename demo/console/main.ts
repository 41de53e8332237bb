import {
  confirmDialog,
  type ExecutionEvent,
  type ListedTool,
  ToolExecutor,
  ToolRegistry,
  WorkerToolset,
} from 'offstage'
import { CalculatorTool } from 'offstage/tools'
import { splitBill } from '../01-tool/split-bill.ts'
import { sendEmail } from '../04-confirm/send-email.ts'
import { restartService } from '../05-agent/restart-service.ts'
import { codeView, jsonText } from '../shared/code-view.ts'
import { button, element, workButton } from '../shared/element.ts'
import { type EventLog, eventLog } from '../shared/event-log.ts'
import { emptyState, panel, row, statusLine } from '../shared/panel.ts'
import { resultView } from '../shared/result-view.ts'
import type { Story } from '../shared/story.ts'
import { bookRoom } from './book-room.ts'
import { inputEditor } from './input-editor.ts'
import { toolPicker } from './tool-picker.ts'
import type { tools } from './tools.worker.ts'

/** Any tool of the demo, called by hand. */
export const consoleStory: Story = {
  id: 'console',
  name: 'Console',
  title: 'Call any tool by hand',
  lead: 'Pick a tool, fill in the form that is made from its schema, and run it through the same gate that an agent uses. Write raw JSON instead to see what the gate makes of a careless model.',
  open: (page, leaving) => {
    const workerTools = new WorkerToolset<typeof tools>(
      () => new Worker(new URL('./tools.worker.ts', import.meta.url), { type: 'module' }),
    )
    leaving.addEventListener('abort', () => void workerTools.close())
    const registry = new ToolRegistry()
    registry.registerAll([bookRoom, splitBill, sendEmail(() => {}), restartService, new CalculatorTool()])
    const onPage = registry.toolset()
    const log = eventLog('Events of the call')
    const executor = new ToolExecutor({
      tools: [onPage, workerTools],
      confirm: confirmDialog(),
      onEvent: (event: ExecutionEvent) => log.add(event),
    })
    const desk = callDesk(executor, log, leaving)
    page.append(element('div', { class: 'console' }, desk.form, desk.outcome))
    const offer = async () => {
      try {
        desk.offer({ 'On the page': await onPage.list(), 'In workers': await workerTools.list() })
      } catch (error) {
        desk.say(error instanceof Error ? error.message : String(error))
      }
    }
    void offer()
  },
}

interface CallDesk {
  readonly form: HTMLElement
  readonly outcome: HTMLElement
  offer(groups: Readonly<Record<string, readonly ListedTool[]>>): void
  say(text: string): void
}

/** Where a call is put together, and what came of it. */
function callDesk(executor: ToolExecutor, log: EventLog, leaving: AbortSignal): CallDesk {
  const editor = inputEditor()
  const description = element('p', { class: 'description' })
  const status = statusLine('The workers start.')
  const request = element('div', {}, emptyState('Nothing was sent yet.'))
  const output = element('div', {}, emptyState('No result yet.'))
  let name = ''
  let stopping = new AbortController()
  const picker = toolPicker(({ definition }) => {
    name = definition.name
    description.textContent = definition.description
    editor.edit(definition)
    status.textContent = 'Ready.'
  })
  const run = async () => {
    const input = editor.read()
    if (input === undefined) {
      status.textContent = 'A field cannot be read.'
      return
    }
    stopping = new AbortController()
    log.restart()
    request.replaceChildren(codeView(typeof input === 'string' ? input : jsonText(input), name))
    output.replaceChildren(emptyState('The call runs.'))
    status.textContent = `${name} runs.`
    const signal = AbortSignal.any([leaving, stopping.signal])
    const result = await executor.execute({ name, input }, { signal })
    output.replaceChildren(resultView(result))
    status.textContent = `Ended with the outcome ${result.outcome}.`
  }
  const buttons = row(
    workButton('Run', run, { class: 'primary' }),
    button('Stop', () => stopping.abort()),
  )
  return {
    form: panel(
      'The call',
      element(
        'div',
        { class: 'field' },
        element('label', { for: 'console-tool' }, 'Tool'),
        picker.element,
        description,
      ),
      editor.element,
      buttons,
      status,
    ),
    outcome: element(
      'div',
      { class: 'outcome' },
      panel('The request', request),
      panel('Events', log.element),
      panel('The result', output),
    ),
    offer: (groups) => picker.offer(groups),
    say: (text) => {
      status.textContent = text
    },
  }
}
