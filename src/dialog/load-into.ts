import { errorToData } from '../tool/error-data.ts'
import type { DialogTexts } from './dialog-texts.ts'
import { literalElement } from './literal-view.ts'
import { makeElement } from './make-element.ts'
import { smallButton } from './small-button.ts'

/** A part of the dialog that is fetched when it is needed, with its look. */
export interface StyledPart {
  /** For the shadow root that it is put into. */
  readonly styleSheet: CSSStyleSheet
}

/** What is said while it is fetched. */
export type LoadTexts = Pick<DialogTexts, 'loading' | 'loadFailed' | 'tryAgain'>

/**
 * Gives the way to fetch a part and show it in a place. What stands in the place stays until it is there: without it
 * the rest can still be read and answered.
 */
export function loadInto<Part extends StyledPart>(
  place: HTMLElement,
  texts: LoadTexts,
  load: () => Promise<Part>,
  show: (part: Part) => void,
): () => void {
  const line = makeElement('div', { class: 'quiet', role: 'status' })
  const open = async () => {
    place.prepend(line)
    line.replaceChildren(texts.loading)
    try {
      const part = await load()
      line.remove()
      adopt(place.getRootNode(), part.styleSheet)
      show(part)
    } catch (error) {
      line.replaceChildren(`${texts.loadFailed} `, literalElement(errorToData(error).message), ' ', retry)
    }
  }
  const start = () => void open()
  const retry = smallButton(texts.tryAgain, start)
  return start
}

function adopt(root: Node, sheet: CSSStyleSheet): void {
  if (!(root instanceof ShadowRoot) || root.adoptedStyleSheets.includes(sheet)) return
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet]
}
