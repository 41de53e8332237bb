import type { ApprovalRequest } from '../execution/approval.ts'
import { checkOptions } from '../tool/check-options.ts'
import { defined } from '../tool/defined.ts'
import { canonicalJson, deepFreeze, type JsonObject, type ToolIssue } from '../tool/json-value.ts'
import type { DialogTexts } from './dialog-texts.ts'
import { editorStyleSheet } from './editor-styles.ts'
import { editorTextsEn } from './editor-texts.ts'
import type { Reading } from './form-control.ts'
import { type FormTexts, formTexts } from './form-texts.ts'
import { type CheckState, type InputCheck, inputCheck } from './input-check.ts'
import type { EditAnswer } from './input-section.ts'
import { literalElement } from './literal-view.ts'
import { makeElement } from './make-element.ts'
import { formEditor, type ObjectEditor } from './object-editor.ts'
import { proposalEditor } from './proposal-editor.ts'
import { propertiesOf, withoutProperties } from './schema-kind.ts'
import { smallButton } from './small-button.ts'

/** The input of a request while a person writes in it. */
export interface InputEditing {
  /** For the shadow root that all this is put into. */
  readonly styleSheet: CSSStyleSheet
  /** The form of the fields that the person fills in; absent when there are none. */
  readonly userForm: HTMLElement | undefined
  /** Makes an editor of the proposed input; `closed` is called when the person gives it up. */
  openEditor(closed: () => void): HTMLElement
  focusEditor(): void
  answer(): EditAnswer
}

/** What is edited: the request, and the part of its input that the model wrote. */
export interface InputEditingOptions {
  readonly request: ApprovalRequest
  readonly proposed: JsonObject
  readonly texts: DialogTexts
  /** Called whenever the answer may be another one. */
  changed(): void
}

/**
 * Starts to edit an input.
 *
 * @throws ToolRegistrationError when the app has replaced a text of the editor that there is not.
 */
export function startEditing(options: InputEditingOptions): InputEditing {
  checkOptions(options.texts.editor, Object.keys(editorTextsEn), 'confirmDialog(), texts.editor')
  const { request, proposed } = options
  const texts = formTexts(options.texts)
  const written = () => {
    for (const one of editorsOf(parts)) one.update()
    checked.restart()
  }
  const parts: EditedParts = { proposed, user: userFieldsEditor(request, texts, written), editor: undefined }
  const checked = checkedParts(parts, options, texts)
  const place = (editor: ObjectEditor) => {
    const element = makeElement('div', {}, editor.element, checked.trouble)
    element.addEventListener('input', written)
    return element
  }
  const userForm = parts.user && place(parts.user)
  if (parts.user !== undefined) checked.start()
  const openEditor = (closed: () => void) => {
    const cancel = () => {
      parts.editor = undefined
      userForm?.append(checked.trouble)
      written()
      closed()
    }
    const schema = withoutProperties(request.inputSchema, request.userFields)
    parts.editor = proposalEditor({ schema, proposed, texts, changed: written, cancel })
    parts.editor.update()
    return place(parts.editor)
  }
  return {
    styleSheet: editorStyleSheet(),
    userForm,
    openEditor,
    focusEditor: () => parts.editor?.focus(),
    answer: () => {
      const blocked = checked.why()
      return blocked === undefined ? answerOf(parts) : { blocked }
    },
  }
}

interface CheckedParts extends InputCheck {
  /** Says that the check itself did not work. */
  readonly trouble: HTMLElement
  /** Why there can be no yes now. */
  why(): string | undefined
}

function checkedParts(
  parts: EditedParts,
  { request, changed }: InputEditingOptions,
  texts: FormTexts,
): CheckedParts {
  const trouble = makeElement('div', { class: 'warning', role: 'status' })
  let state: CheckState = { kind: 'right' }
  let problems = 0
  const told = (next: CheckState) => {
    state = next
    if (state.kind !== 'checking') problems = showIssues(editorsOf(parts), state)
    trouble.replaceChildren(...(state.kind === 'failed' ? failure(state.why, texts, check.start) : []))
    changed()
  }
  const check = inputCheck(request, () => toBeChecked(parts), told)
  return { ...check, trouble, why: () => whyBlocked(state, problems, texts) }
}

/** What the input is made from. */
interface EditedParts {
  readonly proposed: JsonObject
  /** The form of the person's fields. */
  readonly user: ObjectEditor | undefined
  /** The editor of the proposal, while it is open. */
  editor: ObjectEditor | undefined
}

function editorsOf({ user, editor }: EditedParts): readonly ObjectEditor[] {
  return [user, editor].filter((one) => one !== undefined)
}

function answerOf({ proposed, user, editor }: EditedParts): EditAnswer {
  const fields = user?.read().value
  const rest = editor?.read().value
  const isOther = rest !== undefined && canonicalJson(rest) !== canonicalJson(proposed)
  return deepFreeze(defined({ input: isOther ? { ...rest, ...fields } : undefined, fields }))
}

/** The whole input as it would be sent; `undefined` when it is the proposal, which was checked already. */
function toBeChecked({ proposed, user, editor }: EditedParts): Reading<JsonObject> {
  const rest = editor?.read() ?? { value: proposed }
  const fields = user?.read()
  const problem = rest.problem ?? fields?.problem
  if (problem !== undefined) return { problem }
  const whole = { ...rest.value, ...fields?.value }
  const isProposal = user === undefined && canonicalJson(whole) === canonicalJson(proposed)
  return { value: isProposal ? undefined : whole }
}

function userFieldsEditor(
  { userFields, input }: ApprovalRequest,
  texts: FormTexts,
  changed: () => void,
): ObjectEditor | undefined {
  if (userFields === undefined) return undefined
  const own = [...propertiesOf(userFields).keys()]
  const value = Object.fromEntries(Object.entries(input).filter(([name]) => own.includes(name)))
  const shared = { schema: userFields, path: '', proposed: undefined, texts, changed }
  return formEditor({ ...shared, value, withDefaults: true, compare: false })
}

// With two editors, each shows what belongs to its fields; what belongs to none is shown by the last one.
function showIssues(editors: readonly ObjectEditor[], state: CheckState): number {
  let left: readonly ToolIssue[] = state.kind === 'wrong' ? state.issues : []
  let shown = 0
  for (const [index, editor] of editors.entries()) {
    const isLast = index === editors.length - 1
    const own = left.filter((issue) => isLast || editor.owns(issue))
    left = left.filter((issue) => !own.includes(issue))
    shown += editor.showIssues(own)
  }
  return shown
}

function failure(why: string, texts: FormTexts, checkAgain: () => void): readonly (Node | string)[] {
  return [`${texts.checkFailed} `, literalElement(why), ' ', smallButton(texts.checkAgain, checkAgain)]
}

function whyBlocked(state: CheckState, problems: number, texts: FormTexts): string | undefined {
  switch (state.kind) {
    case 'right':
      return undefined
    case 'checking':
      return texts.checking
    case 'unreadable':
      return texts.cannotRead
    case 'wrong':
      return problems === 0 ? texts.fillIn : texts.wrong(problems)
    case 'failed':
      return texts.notChecked
  }
}
