import { type ElementAttributes, makeElement } from './make-element.ts'

/** A button beside what it changes. */
export function smallButton(
  label: string,
  press: () => void,
  attributes: ElementAttributes = {},
): HTMLButtonElement {
  const button = makeElement('button', { type: 'button', class: 'small', ...attributes }, label)
  button.addEventListener('click', press)
  return button
}
