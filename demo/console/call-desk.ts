import type { ListedTool, ToolExecutor } from 'offstage'
import { codeView, jsonText } from '../shared/code-view.ts'
import { button, element, workButton } from '../shared/element.ts'
import type { EventLog } from '../shared/event-log.ts'
import { emptyState, panel, row, statusLine } from '../shared/panel.ts'
import { resultView } from '../shared/result-view.ts'
import { type InputEditor, inputEditor } from './input-editor.ts'
import { toolPicker } from './tool-picker.ts'

/** Where a call is put together, and what came of it. */
export interface CallDesk {
  readonly form: HTMLElement
  readonly outcome: HTMLElement
  /** Offers tools to pick from. */
  offer(groups: Readonly<Record<string, readonly ListedTool[]>>): void
  say(text: string): void
}

/** Makes a desk whose calls run through `executor`. */
export function callDesk(executor: ToolExecutor, log: EventLog, leaving: AbortSignal): CallDesk {
  const editor = inputEditor()
  const description = element('p', { class: 'description' })
  const status = statusLine('The workers start.')
  const papers = callPapers(log)
  const say = (text: string) => {
    status.textContent = text
  }
  let name = ''
  let stopping = new AbortController()
  const picker = toolPicker(({ definition }) => {
    name = definition.name
    description.textContent = definition.description
    editor.edit(definition)
    say('Ready.')
  })
  const run = async () => {
    stopping = new AbortController()
    const signal = AbortSignal.any([leaving, stopping.signal])
    await runCall({ executor, editor, papers, name, signal, say })
  }
  const choice = element(
    'div',
    { class: 'field' },
    element('label', { for: 'console-tool' }, 'Tool'),
    picker.element,
    description,
  )
  const stop = button('Stop', () => stopping.abort())
  const buttons = row(workButton('Run', run, { class: 'primary' }), stop)
  return {
    form: panel('The call', choice, editor.element, buttons, status),
    outcome: papers.element,
    offer: (groups) => picker.offer(groups),
    say,
  }
}

interface CallPapers {
  readonly element: HTMLElement
  readonly request: HTMLElement
  readonly output: HTMLElement
  readonly log: EventLog
}

function callPapers(log: EventLog): CallPapers {
  const request = element('div', {}, emptyState('Nothing was sent yet.'))
  const output = element('div', {}, emptyState('No result yet.'))
  const papers = element(
    'div',
    { class: 'outcome' },
    panel('The request', request),
    panel('Events', log.element),
    panel('The result', output),
  )
  return { element: papers, request, output, log }
}

interface DeskCall {
  readonly executor: ToolExecutor
  readonly editor: InputEditor
  readonly papers: CallPapers
  readonly name: string
  readonly signal: AbortSignal
  say(text: string): void
}

async function runCall({ executor, editor, papers, name, signal, say }: DeskCall): Promise<void> {
  const input = editor.read()
  if (input === undefined) {
    say('A field cannot be read.')
    return
  }
  papers.log.restart()
  papers.request.replaceChildren(codeView(typeof input === 'string' ? input : jsonText(input), name))
  papers.output.replaceChildren(emptyState('The call runs.'))
  say(`${name} runs.`)
  const result = await executor.execute({ name, input }, { signal })
  papers.output.replaceChildren(resultView(result))
  say(`Ended with the outcome ${result.outcome}.`)
}
