import { expect, vi } from 'vitest'
import { confirmDialog } from '../../../src/dialog/confirm-dialog.ts'
import type { ApprovalRequest } from '../../../src/execution/approval.ts'
import type { JsonObject } from '../../../src/tool/json-value.ts'
import { type OpenDialog, readyDialog, request, sleep, type Watched, watch } from './open-dialog.ts'
import { click, type } from './real-input.ts'

/** A request with this input and schema; every input is right. */
export function editable(
  input: JsonObject,
  properties: JsonObject,
  changes: Partial<ApprovalRequest> = {},
): ApprovalRequest {
  return request({ input, inputSchema: { type: 'object', properties }, ...changes })
}

/** Asks, and presses Edit. */
export async function openEditor(
  asked: ApprovalRequest,
  options?: Parameters<typeof confirmDialog>[0],
): Promise<{ readonly open: OpenDialog; readonly answer: Watched }> {
  const answer = watch(confirmDialog(options)(asked))
  const open = await readyDialog()
  await click(open.get('[part~=edit]'))
  await vi.waitFor(() => open.get('.editor'), { timeout: 10_000 })
  return { open, answer }
}

/** The part of the form that belongs to a field: its label is the name. */
export function fieldOf(open: OpenDialog, name: string): HTMLElement {
  const fields = [...open.root.querySelectorAll<HTMLElement>('.form-field')]
  const found = fields.find((field) => field.querySelector('label, .name')?.textContent === name)
  if (found === undefined) throw new Error(`The form has no field ${name}.`)
  return found
}

/** What a field is written in. */
export function controlOf<Kind extends HTMLElement = HTMLInputElement>(open: OpenDialog, name: string): Kind {
  return fieldOf(open, name).querySelector('input, textarea, select') as Kind
}

/** Replaces what stands in a field, key by key. */
export async function retype(field: HTMLInputElement | HTMLTextAreaElement, text: string): Promise<void> {
  field.select()
  // Not every driver knows a key that deletes.
  if (text === '') paste(field, '')
  else await type(field, text)
}

/** Sets what stands in a field at once, as pasting does. */
export function paste(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  field.focus()
  field.value = text
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }))
}

/** Chooses an option of a list of choices. */
export function choose(field: HTMLSelectElement, label: string): void {
  const option = [...field.options].find(({ text }) => text === label)
  if (option === undefined) throw new Error(`There is no option ${label}.`)
  field.value = option.value
  for (const name of ['input', 'change'])
    field.dispatchEvent(new Event(name, { bubbles: true, composed: true }))
}

/** Shows the input as JSON, or in the form again. */
export async function showAs(open: OpenDialog, mode: 'form' | 'json'): Promise<void> {
  await click(open.get(`.modes label:nth-of-type(${mode === 'form' ? 1 : 2})`))
}

/** A button of the dialog by its text or name. */
export function buttonNamed(scope: ParentNode, name: string): HTMLButtonElement {
  const buttons = [...scope.querySelectorAll('button')]
  const found = buttons.find((button) => button.textContent === name || button.ariaLabel === name)
  if (found === undefined) throw new Error(`There is no button ${name}.`)
  return found
}

/** Waits until Approve works, and presses it. */
export async function approveEdited(open: OpenDialog): Promise<void> {
  await vi.waitFor(() => expect(open.approve.ariaDisabled).toBeNull(), { timeout: 5_000 })
  await sleep(400)
  await click(open.approve)
}

/** Waits until the dialog says why it cannot be approved. */
export async function blockedBecause(open: OpenDialog, why: string): Promise<void> {
  await vi.waitFor(() => expect(open.text('.blocked')).toBe(why), { timeout: 5_000 })
  expect(open.approve.ariaDisabled).toBe('true')
}
