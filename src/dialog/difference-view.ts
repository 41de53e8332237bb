import type { JsonValue } from '../tool/json-value.ts'
import type { Reading } from './form-control.ts'
import type { FormTexts } from './form-texts.ts'
import { valueView } from './input-view.ts'
import { makeElement } from './make-element.ts'

/** Both values of a field that differs from the proposal, letter for letter. */
export function differenceView(
  proposed: JsonValue | undefined,
  { value, problem }: Reading,
  texts: FormTexts,
): HTMLElement {
  const now = problem === undefined ? shown(value, texts) : quiet(texts.unreadable)
  return makeElement(
    'dl',
    { class: 'difference', part: 'difference' },
    makeElement(
      'div',
      { class: 'before' },
      makeElement('dt', {}, texts.proposed),
      described(shown(proposed, texts)),
    ),
    makeElement('div', { class: 'after' }, makeElement('dt', {}, texts.now), described(now)),
  )
}

function shown(value: JsonValue | undefined, texts: FormTexts): HTMLElement {
  return value === undefined ? quiet(texts.leftOut) : valueView(value, texts)
}

function described(view: HTMLElement): HTMLElement {
  return makeElement('dd', {}, view)
}

function quiet(text: string): HTMLElement {
  return makeElement('span', { class: 'quiet' }, text)
}
