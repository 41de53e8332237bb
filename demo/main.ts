import { toolStory } from './01-tool/main.ts'
import { poolStory } from './02-pool/main.ts'
import { runawayStory } from './03-runaway/main.ts'
import { confirmStory } from './04-confirm/main.ts'
import { agentStory } from './05-agent/main.ts'
import { pauseStory } from './06-pause/main.ts'
import { chatStory } from './07-chat/main.ts'
import { mcpStory } from './08-mcp/main.ts'
import { notesStory } from './09-notes/main.ts'
import { retrievalStory } from './10-retrieval/main.ts'
import { untrustedStory } from './11-untrusted/main.ts'
import { consoleStory } from './console/main.ts'
import { element } from './shared/element.ts'
import { allowOwnWorkers } from './shared/own-workers.ts'
import type { Story } from './shared/story.ts'

const stories: readonly [Story, ...Story[]] = [
  toolStory,
  poolStory,
  runawayStory,
  confirmStory,
  agentStory,
  pauseStory,
  chatStory,
  mcpStory,
  notesStory,
  retrievalStory,
  untrustedStory,
  consoleStory,
]

let leaving = new AbortController()

function show(story: Story, focus: boolean): void {
  leaving.abort()
  leaving = new AbortController()
  const title = element('h1', { tabindex: '-1' }, story.title)
  const page = element('article', { class: 'story' }, title, element('p', { class: 'lead' }, story.lead))
  story.open(page, leaving.signal)
  const after = stories[stories.indexOf(story) + 1]
  if (after !== undefined) page.append(nextLink(after))
  document.querySelector('main')?.replaceChildren(page)
  document.title = `${story.title} · Offstage`
  for (const link of document.querySelectorAll('#stories a')) {
    if (link.getAttribute('href') === `#${story.id}`) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  if (!focus) return
  scrollTo({ top: 0 })
  title.focus({ preventScroll: true })
}

function nextLink({ id, name }: Story): HTMLElement {
  return element('p', { class: 'next' }, element('a', { href: `#${id}` }, `Next: ${name} →`))
}

function current(): Story {
  return stories.find(({ id }) => id === location.hash.slice(1)) ?? stories[0]
}

function navigation(): HTMLElement {
  const items = stories.map(({ id, name }, index) => {
    const number = element('span', { class: 'number', 'aria-hidden': 'true' }, String(index + 1))
    return element('li', {}, element('a', { href: `#${id}` }, number, name))
  })
  return element('ol', {}, ...items)
}

allowOwnWorkers()
document.querySelector('#stories')?.append(navigation())
show(current(), false)
addEventListener('hashchange', () => {
  // The skip link jumps inside the story that is open.
  if (location.hash !== '#main') show(current(), true)
})
