import type { CallEnding, ToolResult } from 'offstage'
import { codeView, jsonText, textView } from './code-view.ts'
import { element } from './element.ts'
import { timeText } from './time-text.ts'

const tones: Partial<Record<CallEnding, string>> = {
  success: 'good',
  partial: 'caution',
  denied: 'caution',
  cancelled: 'caution',
  timeout: 'caution',
}

/** How a call ended, in one word. */
export function outcomeBadge(outcome: CallEnding): HTMLElement {
  return element('span', { class: `badge ${tones[outcome] ?? 'bad'}` }, outcome)
}

/** The one result of a call: how it ended, what the model reads, and what only the app sees. */
export function resultView(result: ToolResult): HTMLElement {
  const { outcome, response, executedInput, error, droppedKeys } = result
  const view = element(
    'div',
    { class: 'result' },
    element(
      'p',
      { class: 'result-head' },
      outcomeBadge(outcome),
      ' ',
      element('code', {}, result.call.name),
      ' ',
      whereItRan(result),
    ),
    textView(response.text, 'What the model reads'),
  )
  if (error !== undefined) view.append(fact('Error code, for the program', error.code))
  if (executedInput !== undefined && Object.keys(executedInput).length > 0) {
    view.append(codeView(jsonText(executedInput), 'Input that ran'))
  }
  if (droppedKeys !== undefined) view.append(fact('Unknown keys that were dropped', droppedKeys.join(', ')))
  if (response.data !== undefined) {
    view.append(codeView(jsonText(response.data), 'Data, for the app only'))
  }
  return view
}

/** Where a call ran and for how long. */
export function whereItRan({
  lane,
  durationMs,
  origin,
}: Pick<ToolResult, 'lane' | 'durationMs' | 'origin'>): string {
  if (durationMs === undefined) return 'The tool did not run.'
  const here = origin?.startsWith('mcp:') ? 'at its server' : 'on the page'
  return `Ran ${lane === undefined ? here : `in a worker (${lane})`} for ${timeText(durationMs)}.`
}

function fact(name: string, value: string): HTMLElement {
  return element('p', { class: 'fact' }, `${name}: `, element('code', {}, value))
}
