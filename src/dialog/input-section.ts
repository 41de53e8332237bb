import type { ApprovalRequest } from '../execution/approval.ts'
import { copyJson, type JsonObject } from '../tool/json-value.ts'
import { isRecord } from '../tool/value-kinds.ts'
import { changeSection } from './change-section.ts'
import type { DialogTexts } from './dialog-texts.ts'
import type { InputEditing } from './input-editor.ts'
import { inputView } from './input-view.ts'
import { loadInto } from './load-into.ts'
import { makeElement } from './make-element.ts'
import { smallButton } from './small-button.ts'

/** What a yes would carry now beside itself, or why there can be none now. */
export interface EditAnswer {
  readonly blocked?: string
  /** The input, when it differs from the proposal. */
  readonly input?: JsonObject
  /** What the person filled in. */
  readonly fields?: JsonObject
}

/** The input of a request: literal at first, and an editor that is fetched when it is needed. */
export interface InputSection {
  /** What has changed of the tool and the form of the person's fields, if there are any, and the input. */
  readonly elements: readonly HTMLElement[]
  answer(): EditAnswer
}

/** Shows the input; `changed` is called whenever the answer may be another one. */
export function inputSection(
  request: ApprovalRequest,
  texts: DialogTexts,
  changed: () => void,
): InputSection {
  const { userFields, change } = request
  // A copy: what is shown, and compared with, stays what it was when the question was asked.
  const proposed = withoutFields(copyOf(request.input), userFields)
  let editing: InputEditing | undefined
  const load = async () => {
    if (editing !== undefined) return editing
    const { startEditing } = await import('./input-editor.ts')
    // Pressed twice, it may have been loaded twice.
    editing ??= startEditing({ request, proposed, texts, changed })
    return editing
  }
  const elements = [inputPart(proposed, texts, load)]
  if (userFields !== undefined) elements.unshift(userPart(texts, load, changed))
  const drift = change && changeSection(change, texts, changed)
  if (drift !== undefined) elements.unshift(drift.element)
  return {
    elements,
    answer: () => {
      const blocked = drift?.blocked()
      if (blocked !== undefined) return { blocked }
      if (editing !== undefined) return editing.answer()
      return userFields === undefined ? {} : { blocked: texts.loading }
    },
  }
}

function copyOf(input: JsonObject): JsonObject {
  const { value } = copyJson(input)
  return isRecord(value) ? (value as JsonObject) : input
}

function withoutFields(input: JsonObject, userFields: JsonObject | undefined): JsonObject {
  const own = Object.keys(Object(userFields?.properties))
  return Object.fromEntries(Object.entries(input).filter(([name]) => !own.includes(name)))
}

type LoadEditing = () => Promise<InputEditing>

function inputPart(proposed: JsonObject, texts: DialogTexts, load: LoadEditing): HTMLElement {
  const place = makeElement('div')
  const showLiteral = () => {
    place.replaceChildren(...inputView(proposed, texts))
    edit.hidden = false
  }
  const cancel = () => {
    showLiteral()
    edit.focus()
  }
  const open = loadInto(place, texts, load, (editing) => {
    place.replaceChildren(editing.openEditor(cancel))
    edit.hidden = true
    editing.focusEditor()
  })
  const edit = smallButton(texts.edit, open, { part: 'button edit' })
  showLiteral()
  const heading = makeElement('h3', { part: 'heading' }, texts.input)
  return makeElement('div', {}, makeElement('div', { class: 'heading' }, heading, edit), place)
}

function userPart(texts: DialogTexts, load: LoadEditing, changed: () => void): HTMLElement {
  const place = makeElement('div')
  const open = loadInto(place, texts, load, (editing) => {
    if (editing.userForm !== undefined) place.replaceChildren(editing.userForm)
    changed()
  })
  open()
  return makeElement('div', {}, makeElement('h3', { part: 'heading' }, texts.userFields), place)
}
