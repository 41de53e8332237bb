import type { Grant } from '../execution/grant.ts'
import type { GrantsTexts } from './grants-texts.ts'
import { inputView } from './input-view.ts'
import { literalElement, literalText } from './literal-view.ts'
import { makeElement } from './make-element.ts'
import { originView } from './origin-view.ts'

/** One grant on the page. */
export interface GrantView {
  readonly row: HTMLElement
  readonly revoke: HTMLButtonElement
}

/** Shows what was allowed: tool, origin, for what, for how long and since when, and the button that ends it. */
export function grantView(grant: Grant, texts: GrantsTexts): GrantView {
  const { id, toolName, origin } = grant
  const [revokeId, toolId, moreId] = [`revoke-${id}`, `tool-${id}`, `more-${id}`]
  const revoke = makeElement(
    'button',
    {
      type: 'button',
      part: 'button revoke',
      'aria-labelledby': `${revokeId} ${toolId}`,
      'aria-describedby': moreId,
    },
    makeElement('span', { id: revokeId }, texts.revoke),
  )
  const row = makeElement(
    'li',
    { class: 'grant', part: 'grant' },
    makeElement('div', { id: toolId, class: 'tool', part: 'tool' }, literalElement(toolName)),
    revoke,
    makeElement(
      'div',
      { class: 'more' },
      originView(origin, texts.dialog, (literal) => literalText(literal, texts.dialog)),
      makeElement('div', { id: moreId }, ...scopeView(grant, texts)),
      timesView(grant, texts),
    ),
  )
  return { row, revoke }
}

function scopeView({ scope, input }: Grant, { dialog }: GrantsTexts): readonly (HTMLElement | string)[] {
  if (scope === 'tool' || input === undefined) return [dialog.rememberTool]
  return [makeElement('div', {}, dialog.rememberInput), ...inputView(input, dialog)]
}

function timesView({ duration, grantedAt }: Grant, texts: GrantsTexts): HTMLElement {
  const { rememberSession, rememberAlways } = texts.dialog
  const time = new Date(grantedAt)
  return makeElement(
    'div',
    { class: 'times', part: 'times' },
    duration === 'always' ? rememberAlways : rememberSession,
    ' · ',
    makeElement('time', { datetime: time.toISOString() }, texts.granted(time)),
  )
}
