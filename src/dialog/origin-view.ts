import type { DialogTexts } from './dialog-texts.ts'
import { makeElement } from './make-element.ts'

/** Says where a tool comes from: in the dialog's own words, and the name of a server or page as `show` shows it. */
export function originView(
  origin: string,
  texts: DialogTexts,
  show: (literal: string) => HTMLElement,
): HTMLElement {
  const [words, literal] = describeOrigin(origin, texts)
  const line = makeElement('span', { class: 'origin', part: 'origin' }, `${texts.origin} ${words}`)
  if (literal !== '') line.append(' ', makeElement('span', { class: 'code' }, show(literal)))
  return line
}

function describeOrigin(origin: string, texts: DialogTexts): readonly [words: string, literal: string] {
  if (origin === 'app') return [texts.originApp, '']
  if (origin === 'builtin') return [texts.originBuiltin, '']
  if (origin.startsWith('mcp:')) return [texts.originServer, origin.slice('mcp:'.length)]
  if (origin.startsWith('webmcp:')) return [texts.originPage, origin.slice('webmcp:'.length)]
  if (origin.startsWith('foreign:')) return [texts.originForeign, origin.slice('foreign:'.length)]
  return ['', origin]
}
