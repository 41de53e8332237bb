import { ToolExecutor, WorkerToolset } from 'offstage'
import { codeView } from '../shared/code-view.ts'
import { button, element, workButton } from '../shared/element.ts'
import { frameMeter } from '../shared/frame-meter.ts'
import { columns, emptyState, panel, row, statusLine } from '../shared/panel.ts'
import { resultView } from '../shared/result-view.ts'
import type { Story } from '../shared/story.ts'
import { now, timeText } from '../shared/time-text.ts'
import type { tools } from './runaway.worker.ts'
import workerSource from './runaway.worker.ts?raw'
import { rollForever } from './runaway-tools.ts'
import source from './runaway-tools.ts?raw'
import { type Timeline, timeline } from './timeline.ts'

const deadlineMs = rollForever.definition.timeoutMs ?? 0

/** A tool that never ends, and is ended. */
export const runawayStory: Story = {
  id: 'runaway',
  name: 'Runaway',
  title: 'A tool that never ends',
  lead: `This tool rolls dice for ever in a worker and never looks at its signal. At its deadline of ${timeText(deadlineMs)} the worker is ended and a spare one takes over, while the page keeps drawing.`,
  open: (page, leaving) => {
    const pool = new WorkerToolset<typeof tools>(
      () => new Worker(new URL('./runaway.worker.ts', import.meta.url), { type: 'module' }),
      { size: 1 },
    )
    leaving.addEventListener('abort', () => void pool.close())
    const meter = frameMeter(leaving)
    const line = timeline(leaving)
    const status = statusLine('Nothing runs.')
    const output = element('div', {}, emptyState('The results of both calls will stand here.'))
    let stopping = new AbortController()
    const run = async () => {
      output.replaceChildren()
      stopping = new AbortController()
      meter.restart()
      line.restart()
      const signal = AbortSignal.any([leaving, stopping.signal])
      try {
        status.textContent = 'The endless tool runs. Watch the dot.'
        const stopped = await call(pool, 'roll_forever', line, signal)
        const answered = await call(pool, 'say_hello', line, leaving)
        output.replaceChildren(resultView(stopped), resultView(answered))
        status.textContent = `Ended. Longest gap between two frames meanwhile: ${timeText(meter.longestMs())}.`
      } catch (error) {
        status.textContent = error instanceof Error ? error.message : String(error)
      }
    }
    page.append(
      panel(
        'Run it',
        meter.element,
        row(
          start(run),
          button('Stop it now', () => stopping.abort()),
        ),
        status,
        line.element,
      ),
      panel('The results', output),
      theCode(),
    )
  },
}

function start(run: () => Promise<void>): HTMLElement {
  return workButton('Start the endless tool', run, { class: 'primary' })
}

function theCode(): HTMLElement {
  return columns(
    panel('The tools', codeView(source, 'runaway-tools.ts')),
    panel('Their worker', codeView(workerSource, 'runaway.worker.ts')),
  )
}

/** Runs one call and marks on the timeline what happens to it. */
async function call(pool: WorkerToolset<typeof tools>, name: string, line: Timeline, signal: AbortSignal) {
  let deadline: ReturnType<typeof setTimeout> | undefined
  const endless = name === 'roll_forever'
  const stop = () => line.mark(now(), 'You asked it to stop', 'stopping')
  const executor = new ToolExecutor({
    tools: pool,
    onEvent: (event) => {
      if (event.type === 'call-started') {
        line.mark(event.at, `${name} started (${event.lane})`, endless ? 'running' : 'answering')
        if (!endless) return
        signal.addEventListener('abort', stop, { once: true })
        deadline = setTimeout(() => {
          signal.removeEventListener('abort', stop)
          line.mark(now(), 'Its deadline passed; it was asked to stop', 'stopping')
        }, deadlineMs)
      }
      if (event.type === 'result') {
        clearTimeout(deadline)
        signal.removeEventListener('abort', stop)
        line.mark(event.at, endings[event.result.outcome] ?? `${name} ended: ${event.result.outcome}`)
      }
    },
  })
  return executor.execute({ name, input: {} }, { signal })
}

const endings: Partial<Record<string, string>> = {
  timeout: 'It did not stop: its worker was ended (timeout)',
  cancelled: 'It did not stop: its worker was ended (cancelled)',
  success: 'say_hello answered from the spare worker',
}
