import { dialogStyleSheet } from './dialog-styles.ts'

/** The element that holds the dialog. It has no behaviour of its own but to say that it was removed. */
export interface ConfirmElement extends HTMLElement {
  /** Called whenever the element leaves the page, also with a part of the page that holds it. */
  removed?: (() => void) | undefined
}

const elementName = 'offstage-confirm'

/**
 * Makes an `<offstage-confirm>` with an open shadow root. The root is open so that accessibility checkers
 * and tests reach in; a script that does the same gains nothing, because only trusted events approve.
 *
 * @throws Error when the page cannot define or make the element.
 */
export function makeConfirmElement(): ConfirmElement {
  // Another copy of the library may have defined it; all that both copies rely on is `removed`.
  if (customElements.get(elementName) === undefined) customElements.define(elementName, elementClass())
  const element: ConfirmElement = document.createElement(elementName)
  const root = element.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [dialogStyleSheet()]
  return element
}

// Made in a function: HTMLElement does not exist where the module is only imported, as on a server.
function elementClass(): CustomElementConstructor {
  return class extends HTMLElement implements ConfirmElement {
    removed?: (() => void) | undefined

    disconnectedCallback(): void {
      this.removed?.()
    }
  }
}
