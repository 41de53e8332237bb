/** Attributes as HTML has them. `true` stands for an attribute without a value; what is `undefined` or `false` is left out. */
export type Attributes = Readonly<Record<string, string | boolean | undefined>>

/** Makes an element. Strings become text, never markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    made.setAttribute(key, value === true ? '' : value)
  }
  made.append(...children)
  return made
}

/** A button that runs something on each press. */
export function button(label: string, press: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes }, label)
  made.addEventListener('click', press)
  return made
}

/**
 * A button whose work takes time: presses do nothing until it is done. It is not disabled meanwhile, because
 * a disabled button loses the focus.
 */
export function workButton(
  label: string,
  work: () => Promise<void>,
  attributes: Attributes = {},
): HTMLButtonElement {
  const press = async () => {
    if (made.ariaDisabled === 'true') return
    made.ariaDisabled = 'true'
    try {
      await work()
    } finally {
      made.ariaDisabled = 'false'
    }
  }
  const made = button(label, () => void press(), attributes)
  return made
}
