import type { ExecutionEvent, ToolResult } from 'offstage'
import { inputEditor } from '../console/input-editor.ts'
import { button, element, workButton } from '../shared/element.ts'
import { eventLog } from '../shared/event-log.ts'
import { emptyState, panel, row, statusLine } from '../shared/panel.ts'
import { resultView } from '../shared/result-view.ts'
import { partViews } from './part-views.ts'
import type { AddedServer } from './server-list.ts'
import { toolChoice } from './tool-choice.ts'

/** Where a tool is called, and what came of it. */
export interface CallPanel {
  readonly form: HTMLElement
  readonly outcome: HTMLElement
  /** The servers of now, and their tools. What is being written stays, as long as its tool is the same. */
  offer(servers: readonly AddedServer[]): void
  /** Chooses a tool, and brings the person there. */
  choose(toolName: string): void
  hear(event: ExecutionEvent): void
}

/** Makes the panel; each call goes through the gate of its tool's server. */
export function callPanel(leaving: AbortSignal): CallPanel {
  const editor = inputEditor()
  const description = element('p', { class: 'description' })
  const status = statusLine('Nothing was called yet.')
  const log = eventLog('Events of the call', 'at its server')
  const output = element('div', {}, emptyState('No result yet.'))
  const choice = toolChoice((chosen) => {
    description.textContent = chosen.tool.definition.description
    editor.edit(chosen.tool.definition)
  })
  let stopping = new AbortController()
  const run = async () => {
    const { chosen } = choice
    const input = editor.read()
    if (chosen === undefined) return
    if (input === undefined) {
      status.textContent = 'A field cannot be read.'
      return
    }
    stopping = new AbortController()
    log.restart()
    output.replaceChildren(emptyState('The call is not over yet.'))
    const { name } = chosen.tool
    status.textContent = `${name} goes through the gate.`
    const signal = AbortSignal.any([leaving, stopping.signal])
    const result = await chosen.server.executor.execute({ name, input }, { signal })
    output.replaceChildren(await resultWithParts(result))
    status.textContent = `${name} ended with the outcome ${result.outcome}.`
  }
  const nothing = emptyState('Add a server, and its tools can be called here.')
  const controls = element(
    'div',
    { class: 'fields', hidden: true },
    element(
      'div',
      { class: 'field' },
      element('label', { for: 'mcp-tool' }, 'Tool'),
      choice.element,
      description,
    ),
    editor.element,
    row(
      workButton('Run', run, { class: 'primary' }),
      button('Stop', () => stopping.abort()),
    ),
    status,
  )
  const progress = (event: ExecutionEvent) => {
    const words = event.type === 'progress' ? progressWords(event.value) : undefined
    if (words !== undefined) status.textContent = words
  }
  return {
    form: panel('The call', nothing, controls),
    outcome: element('div', { class: 'outcome' }, panel('The result', output), panel('Events', log.element)),
    offer: (servers) => {
      choice.offer(servers)
      controls.hidden = choice.chosen === undefined
      nothing.hidden = !controls.hidden
    },
    choose: (toolName) => {
      choice.choose(toolName)
      choice.element.focus()
    },
    hear: (event) => {
      log.add(event)
      progress(event)
    },
  }
}

/** What a server said with its progress. */
function progressWords(value: unknown): string | undefined {
  const { message } = (value ?? {}) as { readonly message?: unknown }
  return typeof message === 'string' ? message : undefined
}

async function resultWithParts(result: ToolResult): Promise<HTMLElement> {
  const view = resultView(result)
  view.append(...(await partViews(result.response.parts ?? [])))
  return view
}
