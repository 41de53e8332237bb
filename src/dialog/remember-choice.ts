import type { GrantDuration, Remember } from '../execution/decision.ts'
import type { DialogTexts } from './dialog-texts.ts'
import { makeElement } from './make-element.ts'

/** For how long the person's yes holds, and for what. */
export interface RememberChoice {
  /** Absent when there is nothing to choose. */
  readonly element?: HTMLElement
  /** Warns of a choice that is wide. */
  readonly warning: HTMLElement
  /** Undefined for a yes that holds once. */
  read(): Remember | undefined
}

/** Makes the choice. It starts with once and with exactly this input, whatever the caller would like. */
export function rememberChoice(durations: readonly GrantDuration[], texts: DialogTexts): RememberChoice {
  const warning = makeElement('p', { class: 'warning', part: 'warning', role: 'status' })
  if (durations.length === 0) return { warning, read: () => undefined }
  const words = { session: texts.rememberSession, always: texts.rememberAlways }
  const duration = choice('remember', [
    ['once', texts.rememberOnce],
    ...durations.map((one): [string, string] => [one, words[one]]),
  ])
  const scope = choice('remember-for', [
    ['input', texts.rememberInput],
    ['tool', texts.rememberTool],
  ])
  const scopePart = labelled(texts.rememberFor, scope)
  const update = () => {
    scopePart.hidden = duration.value === 'once'
    const isWide = !scopePart.hidden && scope.value === 'tool'
    warning.textContent = isWide ? texts.rememberToolWarning : ''
  }
  duration.addEventListener('change', update)
  scope.addEventListener('change', update)
  update()
  return {
    element: makeElement(
      'div',
      { class: 'remember', part: 'remember' },
      labelled(texts.remember, duration),
      scopePart,
    ),
    warning,
    read: () => {
      const chosen = durations.find((one) => one === duration.value)
      return chosen && { duration: chosen, scope: scope.value === 'tool' ? 'tool' : 'input' }
    },
  }
}

function choice(
  id: string,
  options: readonly (readonly [value: string, label: string])[],
): HTMLSelectElement {
  const items = options.map(([value, label]) => makeElement('option', { value }, label))
  // A browser may remember what was chosen the last time.
  return makeElement('select', { id, part: 'choice', autocomplete: 'off' }, ...items)
}

function labelled(label: string, control: HTMLElement): HTMLElement {
  return makeElement('div', { class: 'labelled' }, makeElement('label', { for: control.id }, label), control)
}
