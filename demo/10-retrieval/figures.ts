import { element } from '../shared/element.ts'
import { countText, timeText } from '../shared/time-text.ts'

/** What is known of the last search. */
export interface SearchFigures {
  readonly allTokens: number
  readonly offeredTokens: number
  readonly offered: number
  readonly searchMs: number
}

/** The figures beside the search: what a prompt costs with all tools and with those that were found. */
export interface Figures {
  readonly element: HTMLElement
  built(buildMs: number): void
  searched(figures: SearchFigures | undefined): void
}

/** Makes them, for a catalogue of so many tools. */
export function figuresView(count: number, allTokens: number): Figures {
  const offered = figure('Found', '–')
  const saved = figure('Saved', '–')
  const search = figure('This search took', '–')
  const build = figure('The index took', '…')
  const all = figure(`All ${countText(count)} schemas`, tokenText(allTokens))
  const filled = element('span', { class: 'share-fill' })
  const view = element(
    'div',
    { class: 'figures' },
    element('dl', {}, ...[all, offered, saved, search, build].map(({ element }) => element)),
    element('div', { class: 'share', 'aria-hidden': 'true' }, filled),
    element(
      'p',
      { class: 'hint' },
      'The bar is the prompt with all schemas; its filled part is what is left. Tokens are estimated, from the length of the schemas.',
    ),
  )
  return {
    element: view,
    built: (ms) => build.set(timeText(ms)),
    searched: (figures) => {
      const share = figures === undefined ? 0 : figures.offeredTokens / figures.allTokens
      filled.style.inlineSize = `${(share * 100).toFixed(2)}%`
      offered.name(figures === undefined ? 'Found' : `The ${figures.offered} found`)
      offered.set(figures === undefined ? '–' : tokenText(figures.offeredTokens))
      saved.set(figures === undefined ? '–' : `${((1 - share) * 100).toFixed(1)} %`)
      search.set(figures === undefined ? '–' : timeText(figures.searchMs))
    },
  }
}

function tokenText(tokens: number): string {
  return `${countText(tokens)} tokens`
}

function figure(label: string, value: string) {
  const name = element('dt', {}, label)
  const number = element('dd', {}, value)
  return {
    element: element('div', { class: 'figure' }, name, number),
    name: (text: string) => name.replaceChildren(text),
    set: (text: string) => number.replaceChildren(text),
  }
}
