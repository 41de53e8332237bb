import type { ToolHit } from 'offstage/retrieval'
import { button, element } from '../shared/element.ts'
import { countText } from '../shared/time-text.ts'
import { marked } from './marked.ts'
import type { CatalogueTool } from './tool-list.ts'

/** A tool that was found, with what the catalogue knows of it. */
export interface FoundTool {
  readonly hit: ToolHit
  readonly tool: CatalogueTool
}

/** The hits, best first. */
export function hitList(found: readonly FoundTool[], forbid: (server: string) => void): HTMLElement {
  return element(
    'ol',
    { class: 'hits', 'aria-label': 'The tools that were found' },
    ...found.map((each, index) => hitItem(each, index + 1, forbid)),
  )
}

function hitItem({ hit, tool }: FoundTool, rank: number, forbid: (server: string) => void): HTMLElement {
  const { definition, server, tokens } = tool
  return element(
    'li',
    { class: 'hit', 'data-tool': hit.name },
    element('span', { class: 'hit-rank', 'aria-hidden': 'true' }, String(rank)),
    element('code', { class: 'hit-name' }, ...marked(definition.name, hit.terms)),
    scoreBar(hit.score),
    element('p', { class: 'hit-text' }, ...marked(definition.description, hit.terms)),
    element(
      'p',
      { class: 'hit-facts' },
      element('span', { class: 'badge fresh' }, server),
      element('span', {}, `matched: ${hit.terms.join(', ') || 'its name'}`),
      element('span', {}, `${countText(tokens)} tokens`),
    ),
    button('Forbid', () => forbid(server), { class: 'chip', 'aria-label': `Forbid the server ${server}` }),
  )
}

function scoreBar(score: number): HTMLElement {
  const filled = element('span', { class: 'score-fill' })
  filled.style.inlineSize = `${Math.round(score * 100)}%`
  return element(
    'span',
    { class: 'score' },
    element('span', { class: 'score-track', 'aria-hidden': 'true' }, filled),
    element('span', { class: 'only-heard' }, 'score '),
    element('span', { class: 'score-number' }, score.toFixed(2)),
  )
}
