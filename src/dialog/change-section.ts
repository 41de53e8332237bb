import type { ToolChange } from '../tool/tool-change.ts'
import type { DialogTexts } from './dialog-texts.ts'
import { loadInto } from './load-into.ts'
import { makeElement } from './make-element.ts'

/** What of the tool has changed: fetched, because most requests have no such part. */
export interface ChangeSection {
  readonly element: HTMLElement
  /** Why there can be no yes now: nobody approves a change that was not shown. */
  blocked(): string | undefined
}

/** Shows a change; `changed` is called when the answer may be another one. */
export function changeSection(change: ToolChange, texts: DialogTexts, changed: () => void): ChangeSection {
  const element = makeElement('div')
  let isShown = false
  const { changeLoading: loading, changeLoadFailed: loadFailed, tryAgain } = texts
  const load = async () => (await import('./change-view.ts')).changeView(change, texts)
  loadInto(element, { loading, loadFailed, tryAgain }, load, (view) => {
    element.replaceChildren(view.element)
    isShown = true
    changed()
  })()
  return { element, blocked: () => (isShown ? undefined : loading) }
}
