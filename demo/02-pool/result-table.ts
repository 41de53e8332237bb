import type { ToolResult } from 'offstage'
import { element } from '../shared/element.ts'
import { outcomeBadge } from '../shared/result-view.ts'
import { limits } from './prime-run.ts'

/** The results in call order, one row for each. */
export function resultTable(results: readonly ToolResult[]): HTMLElement {
  const heads = ['Call', 'Where', 'Outcome', 'What the model reads'].map((text) =>
    element('th', { scope: 'col' }, text),
  )
  const rows = limits.map((below, index) => {
    const result = results[index]
    return element(
      'tr',
      {},
      element('th', { scope: 'row' }, String(index + 1)),
      element('td', {}, result?.lane ?? 'page'),
      element('td', {}, result === undefined ? '' : outcomeBadge(result.outcome)),
      element('td', {}, result?.response.text ?? `below ${below}`),
    )
  })
  return element(
    'table',
    {},
    element('thead', {}, element('tr', {}, ...heads)),
    element('tbody', {}, ...rows),
  )
}
