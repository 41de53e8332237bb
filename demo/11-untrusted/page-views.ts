import type { JsonValue, ToolResponse } from 'offstage'
import { element } from '../shared/element.ts'
import { countText } from '../shared/time-text.ts'

const hidden = /[\u{E0000}-\u{E007F}]+/gu

/** A page as its server sends it; what no browser would show is spelled out. */
export function servedView(text: string): HTMLElement {
  const parts: (Node | string)[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(hidden)) {
    parts.push(text.slice(end, index), hiddenView([...found]))
    end = index + found.length
  }
  return figure('What its server sends', ...parts, text.slice(end))
}

function hiddenView(letters: readonly string[]): HTMLElement {
  const spelled = letters.map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) - 0xe0000))
  return element('mark', {}, `${countText(letters.length)} hidden characters: “${spelled.join('')}”`)
}

const fenceLine = /^<<(?:outside|end) [0-9a-f]{24}\b.*$/gm

/** The text of a result as the model reads it, the two lines of its fence marked. */
export function readView(text: string): HTMLElement {
  const parts: (Node | string)[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(fenceLine)) {
    parts.push(text.slice(end, index), element('span', { class: 'fence-line' }, found))
    end = index + found.length
  }
  return figure('What the model read', ...parts, text.slice(end))
}

/** By what `metadata.fence.removed` counts: what was done, and to what. */
const kinds: Readonly<Record<string, readonly [done: string, what: string]>> = {
  control: ['Taken out', 'control characters'],
  bidi: ['Taken out', 'marks that turn writing round'],
  invisible: ['Taken out', 'invisible characters'],
  tag: ['Taken out', 'hidden characters'],
  surrogate: ['Replaced', 'broken characters'],
  markup: ['Broken up', 'marks that pretend'],
}

/** The account of what was done to a text before the model read it. */
export function fenceAccount({ metadata }: ToolResponse): HTMLElement {
  const fence = metadata?.fence as { readonly removed?: Readonly<Record<string, JsonValue>> } | undefined
  const lines = Object.entries(fence?.removed ?? {}).map(([kind, count]) => {
    const [done, what] = kinds[kind] ?? ['Taken out', kind]
    return element('li', { class: 'account-line' }, `${done}: ${count} ${what}`)
  })
  if (lines.length === 0) lines.push(element('li', { class: 'account-line' }, 'Nothing had to be taken out.'))
  return element('ul', { class: 'account', 'aria-label': 'What was done to the text' }, ...lines)
}

function figure(caption: string, ...content: readonly (Node | string)[]): HTMLElement {
  const pre = element('pre', { tabindex: '0', role: 'group', 'aria-label': caption }, ...content)
  return element('figure', { class: 'code' }, element('figcaption', {}, caption), pre)
}
