import type { ConfirmHandler } from '../execution/approval.ts'
import { checkMilliseconds, checkOptions } from '../tool/check-options.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { askPerson } from './ask-person.ts'
import { askingTextsEn } from './asking-texts.ts'
import { dialogTextNames } from './dialog-text-names.ts'
import type { DialogTexts } from './dialog-texts.ts'
import { loadDialog } from './load-dialog.ts'

/** How {@link confirmDialog} asks. */
export interface ConfirmDialogOptions {
  /** The element of this page that the dialog is put into. @default document.body */
  readonly container?: HTMLElement
  /** Sentences that replace the English ones. */
  readonly texts?: Partial<DialogTexts>
  /**
   * A question without an answer after this long is not approved. In milliseconds, counted from when it is
   * asked, so also while it waits behind others. @default no limit
   */
  readonly timeoutMs?: number
}

const where = 'confirmDialog()'

/**
 * Makes a `confirm` handler that asks the person in a modal dialog of the page: which tool, whose, with
 * which input, and why. Questions of all handlers of a page are shown one at a time, with a list of those that
 * wait, from which the person may pick.
 *
 * An app ships little of it at start: the dialog is fetched with `import()`, begun when the handler is made in a page.
 * When it cannot be fetched, for example because a new version of the app has replaced the file, the question is
 * answered as not approved, with the browser's words for why, and the next question tries again.
 *
 * The person can change the input, in a form made from its JSON Schema or as JSON: it is checked while they
 * write, what differs from the proposal is shown, and no input can be approved that is wrong or not checked yet.
 * Fields that a person fills in (`userFields`) are a form at once. The editor is fetched with `import()` when it
 * is first needed. The one note goes with either answer. A yes holds once, unless the person says otherwise.
 *
 * Approved is only what a person approves on purpose: with a trusted click, or with Space or Enter on the
 * focused Approve button, begun at least 300 ms after the dialog could be seen, and after it was shown anew or
 * the button moved. Deny has the focus at first. Escape denies and drops what was begun; Enter in the field for
 * the reason denies and sends it. Abort of the request, the timeout and removal of the dialog from the page
 * settle the question as not approved; an answer after that does nothing.
 *
 * Theme it with the custom properties `--offstage-surface`, `--offstage-text`, `--offstage-muted`,
 * `--offstage-border`, `--offstage-accent`, `--offstage-accent-text`, `--offstage-field`,
 * `--offstage-caution`, `--offstage-mark`, `--offstage-mark-text`, `--offstage-backdrop`,
 * `--offstage-font`, `--offstage-font-mono`, `--offstage-radius` and `--offstage-width` on
 * `offstage-confirm`, with its parts (`::part(dialog)`, `::part(approve)` and so on), and with
 * `color-scheme`; it follows the person's preference when the app does not set one on it.
 *
 * @throws {@link ToolRegistrationError} when an option is wrong. The handler itself rejects where there is
 * no page, as on a server; the executor takes that for a denial.
 * @example
 * const agent = new Agent({ model, tools, confirm: confirmDialog({ timeoutMs: 60_000 }) })
 */
export function confirmDialog(options: ConfirmDialogOptions = {}): ConfirmHandler {
  checkOptions(options, ['container', 'texts', 'timeoutMs'], where)
  checkDialogOptions(options, where)
  const texts = { ...askingTextsEn, ...options.texts }
  // Begun now, so that it is there before the first question; one that fails is that question's to tell.
  if (canAsk()) loadDialog().catch(() => {})
  return async (request) => {
    if (!canAsk()) {
      throw new Error(
        'confirmDialog() can ask only in the page of a browser. On a server or in a worker, pass another confirm handler.',
      )
    }
    return askPerson({ request, container: containerOf(options), texts, timeoutMs: options.timeoutMs })
  }
}

/**
 * Throws unless what all dialogs take is right.
 *
 * @throws {@link ToolRegistrationError}
 */
export function checkDialogOptions(
  { container, texts, timeoutMs }: ConfirmDialogOptions,
  where: string,
): void {
  checkMilliseconds(timeoutMs, 'timeoutMs', where)
  if (texts !== undefined) checkOptions(texts, dialogTextNames, `${where}, texts`)
  if (container !== undefined) checkContainer(container, where)
}

/** Where a dialog is put. Asked for late: a script in the head runs before there is a body. */
export function containerOf({ container }: ConfirmDialogOptions): HTMLElement {
  return container ?? document.body ?? document.documentElement
}

/** Whether there is a page that can show a dialog. */
export function canAsk(): boolean {
  return typeof document !== 'undefined' && typeof HTMLDialogElement !== 'undefined'
}

// An element of another document has other classes and another style sheet.
function checkContainer(container: unknown, where: string): void {
  if (typeof HTMLElement !== 'undefined' && container instanceof HTMLElement) {
    if (container.ownerDocument === document) return
  }
  throw new ToolRegistrationError(
    `${where}, container: expected an HTML element of this page. Leave it out to use document.body.`,
  )
}
