import type { DialogTexts } from './dialog-texts.ts'
import { literalPieces, previewOf } from './literal-text.ts'
import { makeElement } from './make-element.ts'

/** An element that shows exactly one text, isolated from the direction of what stands around it. */
export function literalElement(text: string): HTMLElement {
  const element = makeElement('bdi', { class: 'literal', part: 'literal', dir: 'auto' })
  for (const { kind, label } of literalPieces(text)) {
    if (kind === 'visible') element.append(label)
    else element.append(markElement(label))
    if (kind === 'break') element.append(makeElement('br'))
  }
  return element
}

// Line ends and tabs are in most texts: they are marked, but do not call for attention.
function markElement(label: string): HTMLElement {
  const usual = label === '↵' || label === '⇥'
  return makeElement('span', { class: usual ? 'mark usual' : 'mark', part: 'mark' }, label)
}

/** A text, folded behind a disclosure when it is long. Everything is there, once it is opened. */
export function literalText(text: string, texts: DialogTexts): HTMLElement {
  return foldable(text, texts, () => literalElement(text))
}

/** What `build` makes; when `text` is long, its beginning and end and a disclosure of what `build` makes. */
export function foldable(text: string, texts: DialogTexts, build: () => HTMLElement): HTMLElement {
  const preview = previewOf(text)
  if (preview === undefined) return build()
  const shown = makeElement(
    'div',
    { class: 'preview' },
    literalElement(preview.start),
    makeElement('span', { class: 'gap' }, texts.omitted(preview.omitted)),
    literalElement(preview.end),
  )
  const disclosure = fold(texts.showAll(text.length), build)
  disclosure.addEventListener('toggle', () => {
    shown.hidden = disclosure.open
  })
  return makeElement('div', { class: 'foldable' }, shown, disclosure)
}

/** A list of elements; those after the first `limit` are folded away, with their number. */
export function foldableList<Item>(
  items: readonly Item[],
  limit: number,
  texts: DialogTexts,
  buildList: (items: readonly Item[]) => HTMLElement,
): readonly HTMLElement[] {
  // One more item is shorter than the line that hides it.
  if (items.length <= limit + 1) return [buildList(items)]
  const rest = items.slice(limit)
  return [buildList(items.slice(0, limit)), fold(texts.showMore(rest.length), () => buildList(rest))]
}

/** A list of texts that is folded away whole. */
export function foldedList(label: string, items: readonly string[], texts: DialogTexts): HTMLElement {
  return fold(label, () => textList(items, texts))
}

/** A list of texts, each letter for letter. */
export function textList(items: readonly string[], texts: DialogTexts): HTMLElement {
  const views = items.map((item) => makeElement('li', { class: 'text' }, literalText(item, texts)))
  return makeElement('ul', {}, ...views)
}

// What is folded is built when it is first opened: a megabyte must not make the dialog slow to appear.
function fold(label: string, build: () => HTMLElement): HTMLDetailsElement {
  const disclosure = makeElement(
    'details',
    { class: 'fold', part: 'fold' },
    makeElement('summary', {}, label),
  )
  const open = () => {
    if (!disclosure.open) return
    disclosure.removeEventListener('toggle', open)
    disclosure.append(build())
  }
  disclosure.addEventListener('toggle', open)
  return disclosure
}
