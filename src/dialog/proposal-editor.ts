import { canonicalJson, type JsonObject } from '../tool/json-value.ts'
import type { FormTexts } from './form-texts.ts'
import { jsonEditor } from './json-editor.ts'
import { makeElement } from './make-element.ts'
import { formEditor, type ObjectEditor } from './object-editor.ts'
import { kindOf } from './schema-kind.ts'
import { smallButton } from './small-button.ts'

/** What the editor is made from. */
export interface ProposalEditorOptions {
  readonly schema: JsonObject
  readonly proposed: JsonObject
  readonly texts: FormTexts
  changed(): void
  /** The person gives up all changes and the editor. */
  cancel(): void
}

/** The editor of the proposed input: a form or JSON, as the person likes, with a way back from every change. */
export function proposalEditor(options: ProposalEditorOptions): ObjectEditor {
  const { schema, proposed, texts, changed, cancel } = options
  const startsAsForm = kindOf(schema, proposed) === 'group'
  const place = makeElement('div')
  const hint = makeElement('p', { class: 'warning', role: 'status' })
  let editor = editorOf(options, startsAsForm, proposed)
  place.append(editor.element)
  const replace = (asForm: boolean, value: JsonObject) => {
    editor = editorOf(options, asForm, value)
    place.replaceChildren(editor.element)
    changed()
  }
  const modes = modeChoice(texts, startsAsForm, (asForm) => {
    const { value } = editor.read()
    if (value !== undefined) replace(asForm, value)
    else hint.textContent = texts.readableFirst
    return value !== undefined
  })
  const undoAll = smallButton(texts.undoAll, () => {
    replace(modes.isForm(), proposed)
    editor.focus()
  })
  const tools = makeElement('div', { class: 'tools' }, undoAll, smallButton(texts.cancel, cancel))
  const bar = makeElement('div', { class: 'editor-bar' }, modes.element, tools)
  return {
    element: makeElement('div', { class: 'editor', part: 'editor' }, bar, hint, place),
    read: () => editor.read(),
    update: () => {
      editor.update()
      const { value } = editor.read()
      if (value !== undefined) hint.textContent = ''
      undoAll.hidden = value !== undefined && canonicalJson(value) === canonicalJson(proposed)
    },
    owns: (issue) => editor.owns(issue),
    showIssues: (issues) => editor.showIssues(issues),
    focus: () => editor.focus(),
  }
}

function editorOf(
  { schema, proposed, texts, changed }: ProposalEditorOptions,
  asForm: boolean,
  value: JsonObject,
): ObjectEditor {
  const shared = { proposed, value, texts, changed }
  return asForm
    ? formEditor({ ...shared, schema, path: '', withDefaults: false, compare: true })
    : jsonEditor(shared)
}

interface ModeChoice {
  readonly element: HTMLElement
  isForm(): boolean
}

// Radio buttons: arrow keys choose between them, and a screen reader says which one of two.
function modeChoice(
  texts: FormTexts,
  startsAsForm: boolean,
  choose: (asForm: boolean) => boolean,
): ModeChoice {
  const radio = (isForm: boolean) => {
    const button = makeElement('input', { type: 'radio', name: 'mode', autocomplete: 'off' })
    button.checked = isForm === startsAsForm
    return button
  }
  const [form, json] = [radio(true), radio(false)]
  const follow = () => {
    if (choose(form.checked)) return
    form.checked = !form.checked
    json.checked = !form.checked
  }
  form.addEventListener('change', follow)
  json.addEventListener('change', follow)
  const element = makeElement(
    'fieldset',
    { class: 'modes' },
    makeElement('legend', { class: 'unseen' }, texts.mode),
    makeElement('label', {}, form, texts.form),
    makeElement('label', {}, json, texts.json),
  )
  return { element, isForm: () => form.checked }
}
