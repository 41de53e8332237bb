import type { AgentEvent } from 'offstage'
import { element } from '../shared/element.ts'

type StepStart = Extract<AgentEvent, { type: 'step-start' }>
type Picked = NonNullable<StepStart['picked']>[number]

/** Tells of each step which tools joined the run with it, and why; `undefined` where none did. */
export function offeredTools(total: number): (event: StepStart) => HTMLElement | undefined {
  const known = new Set<string>()
  return ({ step, picked = [] }) => {
    const joined = picked.filter(({ name }) => !known.has(name))
    for (const { name } of joined) known.add(name)
    if (joined.length === 0) return
    const isFirst = known.size === joined.length
    const title = isFirst ? firstTitle(step, joined, total) : `Step ${step}: ${joined.length} more`
    return element(
      'li',
      { class: 'offered' },
      element('p', { class: 'who' }, title),
      element('ul', { class: 'offered-tools', 'aria-label': title }, ...joined.map(chip)),
    )
  }
}

function firstTitle(step: number, joined: readonly Picked[], total: number): string {
  const always = joined.filter(({ why }) => why === 'always').map(({ name }) => name)
  const fitting = `${joined.length - always.length} of ${total} tools`
  return `Step ${step}: the model is offered ${[fitting, ...always].join(' and ')}`
}

function chip(tool: Picked): HTMLElement {
  return element(
    'li',
    { class: 'offered-tool', 'data-offered': tool.name, 'data-why': tool.why },
    element('code', {}, tool.name),
    element('span', {}, reason(tool)),
  )
}

function reason({ why, terms = [] }: Picked): string {
  const words = terms.join(', ')
  if (why === 'hit') return `fits: ${words}`
  if (why === 'found') return `found: ${words}`
  return why === 'always' ? 'always there' : why
}
