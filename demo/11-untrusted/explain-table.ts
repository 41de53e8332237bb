import type { StageAnswer } from 'offstage'
import { element } from '../shared/element.ts'

const tones: Readonly<Record<string, string>> = {
  ...{ allow: 'good', success: 'good', confirm: 'caution', denied: 'caution' },
}

/** What the stages of the gate said of a call, in order. */
export function explainTable(name: string, answers: readonly StageAnswer[]): HTMLElement {
  const head = ['Stage', 'Answer', 'Why'].map((text) => element('th', { scope: 'col' }, text))
  return element(
    'table',
    { class: 'explain' },
    element('caption', {}, 'What the gate said of ', element('code', {}, name)),
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...answers.map(row)),
  )
}

function row({ stage, answer, by, reason = '' }: StageAnswer): HTMLElement {
  const rule = by === undefined ? [] : [element('code', {}, by)]
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, stage),
    element('td', {}, element('span', { class: `badge ${tones[answer] ?? 'bad'}` }, answer)),
    element('td', {}, ...rule, ...(reason === '' ? [] : [reason])),
  )
}
