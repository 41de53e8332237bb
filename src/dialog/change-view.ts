import { checkOptions } from '../tool/check-options.ts'
import type { ChangedField, ChangeSegment, ToolChange } from '../tool/tool-change.ts'
import { changeStyleSheet } from './change-styles.ts'
import { type ChangeTexts, changeTextsEn } from './change-texts.ts'
import type { DialogTexts } from './dialog-texts.ts'
import { foldableList, literalElement, literalText } from './literal-view.ts'
import type { StyledPart } from './load-into.ts'
import { makeElement } from './make-element.ts'

/** More changed fields than this are folded away. */
const maxFields = 12

type Words = DialogTexts & { readonly own: ChangeTexts }

/**
 * Shows what of a tool has changed: each field as it was and as it is, side by side where there is room. What differs
 * is marked with more than colour, and told to those who hear it; hidden characters are shown by name.
 *
 * @throws ToolRegistrationError when the app has replaced a text of it that there is not.
 */
export function changeView(
  { fields }: ToolChange,
  texts: DialogTexts,
): StyledPart & { readonly element: HTMLElement } {
  checkOptions(texts.change, Object.keys(changeTextsEn), 'confirmDialog(), texts.change')
  const words: Words = { ...texts, own: { ...changeTextsEn, ...texts.change } }
  const lists = foldableList(fields, maxFields, texts, (some) =>
    makeElement('div', { class: 'changes' }, ...some.map((field) => fieldView(field, words))),
  )
  const element = makeElement(
    'div',
    { class: 'change', part: 'change', role: 'group', 'aria-labelledby': 'change' },
    makeElement('h3', { id: 'change', part: 'heading' }, words.own.title),
    makeElement('p', { class: 'quiet' }, words.own.about),
    ...lists,
  )
  return { styleSheet: changeStyleSheet(), element }
}

function fieldView({ name, before, after, segments }: ChangedField, words: Words): HTMLElement {
  const pieces = isWhole(segments, before, after) ? segments : apart(before, after)
  return makeElement(
    'div',
    { class: 'changed-field', part: 'changed-field' },
    makeElement('h4', {}, literalElement(name)),
    makeElement(
      'dl',
      { class: 'sides' },
      sideView('before', before, pieces, words),
      sideView('after', after, pieces, words),
    ),
  )
}

// What is shown is the texts themselves, whatever the pieces say.
function isWhole(
  segments: readonly ChangeSegment[] | undefined,
  before = '',
  after = '',
): segments is readonly ChangeSegment[] {
  const joined = (other: ChangeSegment['kind']) =>
    segments?.map(({ kind, text }) => (kind === other ? '' : text)).join('')
  return joined('added') === before && joined('removed') === after
}

function apart(before = '', after = ''): readonly ChangeSegment[] {
  return [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ]
}

function sideView(
  side: 'before' | 'after',
  text: string | undefined,
  pieces: readonly ChangeSegment[],
  words: Words,
): HTMLElement {
  const other = side === 'before' ? 'added' : 'removed'
  const own = pieces.filter(({ kind, text }) => kind !== other && text !== '')
  const shown =
    text === undefined
      ? [makeElement('span', { class: 'quiet' }, words.own.nothing)]
      : own.map((piece) => pieceView(piece, words))
  return makeElement(
    'div',
    { class: `side ${side}`, part: side },
    makeElement('dt', {}, words.own[side]),
    makeElement('dd', {}, ...shown),
  )
}

function pieceView({ kind, text }: ChangeSegment, words: Words): HTMLElement {
  const literal = literalText(text, words)
  if (kind === 'same') return literal
  const unseen = (word: string) => makeElement('span', { class: 'unseen' }, word)
  const { own } = words
  return kind === 'removed'
    ? makeElement('del', {}, unseen(own.removed), literal, unseen(']'))
    : makeElement('ins', {}, unseen(own.added), literal, unseen(']'))
}
