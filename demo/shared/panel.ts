import { element } from './element.ts'

let panels = 0

/** A part of a story, with a heading. */
export function panel(heading: string, ...children: readonly (Node | string)[]): HTMLElement {
  panels += 1
  const id = `panel-${panels}`
  return element(
    'section',
    { class: 'panel', 'aria-labelledby': id },
    element('h2', { id }, heading),
    ...children,
  )
}

/** Panels beside each other where there is room. */
export function columns(...children: readonly HTMLElement[]): HTMLElement {
  return element('div', { class: 'columns' }, ...children)
}

/** Buttons in a row. */
export function row(...children: readonly HTMLElement[]): HTMLElement {
  return element('div', { class: 'row' }, ...children)
}

/** A line that says what goes on, also to a screen reader. */
export function statusLine(text: string): HTMLElement {
  return element('p', { class: 'status', role: 'status' }, text)
}

/** What stands where results will be. */
export function emptyState(text: string): HTMLElement {
  return element('p', { class: 'empty' }, text)
}
