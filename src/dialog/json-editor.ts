import type { JsonObject, JsonValue } from '../tool/json-value.ts'
import { isRecord } from '../tool/value-kinds.ts'
import { differenceView } from './difference-view.ts'
import type { Reading } from './form-control.ts'
import { isOtherValue } from './form-field.ts'
import type { FormTexts } from './form-texts.ts'
import { printJson, readJson } from './json-text.ts'
import { literalElement } from './literal-view.ts'
import { makeElement } from './make-element.ts'
import type { ObjectEditor } from './object-editor.ts'
import { problemList } from './problem-list.ts'
import { smallButton } from './small-button.ts'

/** What the editor is made from. */
export interface JsonEditorOptions {
  readonly proposed: JsonObject
  readonly value: JsonObject
  readonly texts: FormTexts
  /** Called after a change that no `input` event tells. */
  changed(): void
}

/** An editor of an object as one JSON text. What differs from the proposal is listed below it, by field. */
export function jsonEditor({ proposed, value, texts, changed }: JsonEditorOptions): ObjectEditor {
  const area = jsonArea(texts)
  const write = (next: JsonObject) => {
    area.value = printJson(next)
  }
  write(value)
  area.rows = Math.min(16, Math.max(4, area.value.split('\n').length))
  const read = () => asObject(readJson(area.value, texts), texts)
  const summary = problemList(texts)
  const differences = makeElement('div', { class: 'differences' })
  const undo = (name: string, now: JsonObject) => {
    write(withMember(now, name, ownValue(proposed, name)))
    area.focus()
    changed()
  }
  const problems = makeElement('div', { id: 'json-problems' }, summary.element)
  return {
    element: makeElement('div', { class: 'form' }, area, problems, differences),
    read,
    update: () => {
      // While the text cannot be read, what differed before stays in sight.
      const { value: now } = read()
      if (now !== undefined) differences.replaceChildren(...differenceRows(proposed, now, texts, undo))
    },
    owns: () => true,
    showIssues: (issues) => {
      const { problem } = read()
      const shown = problem === undefined ? issues : [{ path: '', message: problem }]
      summary.show(shown)
      area.ariaInvalid = shown.length > 0 ? 'true' : null
      return shown.length
    },
    focus: () => area.focus(),
  }
}

function jsonArea(texts: FormTexts): HTMLTextAreaElement {
  return makeElement('textarea', {
    class: 'code-field',
    part: 'json',
    'aria-label': `${texts.input}: ${texts.json}`,
    'aria-describedby': 'json-problems',
    autocomplete: 'off',
    spellcheck: 'false',
  })
}

function asObject({ value, problem }: Reading, texts: FormTexts): Reading<JsonObject> {
  if (problem !== undefined) return { problem }
  return isRecord(value) ? { value: value as JsonObject } : { problem: texts.notObject }
}

function ownValue(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function withMember(object: JsonObject, name: string, value: JsonValue | undefined): JsonObject {
  const { [name]: _, ...rest } = object
  return value === undefined ? rest : { ...object, [name]: value }
}

function differenceRows(
  proposed: JsonObject,
  now: JsonObject,
  texts: FormTexts,
  undo: (name: string, now: JsonObject) => void,
): HTMLElement[] {
  const names = [...new Set([...Object.keys(proposed), ...Object.keys(now)])]
  return names.flatMap((name, index) => {
    const [before, after] = [ownValue(proposed, name), ownValue(now, name)]
    if (!isOtherValue(before, { value: after })) return []
    const label = makeElement('span', { class: 'name', id: `json-difference-${index}` }, literalElement(name))
    const back = smallButton(texts.undo, () => undo(name, now), { 'aria-describedby': label.id })
    const badge = makeElement('span', { class: 'badge', part: 'changed' }, texts.changed)
    const heading = makeElement('div', { class: 'label' }, label, badge, back)
    const view = differenceView(before, { value: after }, texts)
    return [makeElement('div', { class: 'form-field differs' }, heading, view)]
  })
}
