import { confirmDialog, type ExecutionEvent, ToolExecutor, ToolRegistry, WorkerToolset } from 'offstage'
import { CalculatorTool } from 'offstage/tools'
import { splitBill } from '../01-tool/split-bill.ts'
import { sendEmail } from '../04-confirm/send-email.ts'
import { restartService } from '../05-agent/restart-service.ts'
import { element } from '../shared/element.ts'
import { eventLog } from '../shared/event-log.ts'
import type { Story } from '../shared/story.ts'
import { bookRoom } from './book-room.ts'
import { callDesk } from './call-desk.ts'
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
