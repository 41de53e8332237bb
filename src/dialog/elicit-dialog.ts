import type { ApprovalRequest } from '../execution/approval.ts'
import { checkOptions } from '../tool/check-options.ts'
import { defined } from '../tool/defined.ts'
import type { JsonObject } from '../tool/json-value.ts'
import { latePart } from '../tool/late-part.ts'
import { isObject } from '../tool/value-kinds.ts'
import { askPerson } from './ask-person.ts'
import { askingTextsEn } from './asking-texts.ts'
import { type ConfirmDialogOptions, canAsk, checkDialogOptions, containerOf } from './confirm-dialog.ts'

/** What a server wants the person to fill in, or to open: the question that `MCPClient` hands to `elicit`. */
export interface ElicitationQuestion {
  readonly message: string
  /** A flat JSON Schema of what is asked for. */
  readonly requestedSchema?: JsonObject
  /** An address to open, instead of a form. */
  readonly url?: string
  /** Who asks: `mcp:` and the namespace of its client. */
  readonly origin?: string
  /** Aborts when the question is withdrawn. */
  readonly signal: AbortSignal
}

/** What became of it: sent or opened, refused, or put away without an answer. */
export interface ElicitationReply {
  readonly action: 'accept' | 'decline' | 'cancel'
  /** What was filled in. */
  readonly content?: JsonObject
}

/** How {@link elicitDialog} asks. */
export interface ElicitDialogOptions extends ConfirmDialogOptions {
  /** The name of the server, in the app's own words. @default the namespace of its client */
  readonly server?: string
}

const where = 'elicitDialog()'

const view = latePart(async () => {
  const { askInDialog } = await import('./elicit-request.ts')
  return { askInDialog }
})

/**
 * Makes an `elicit` handler for `MCPClient`: it asks the person in a modal dialog what a server wants to know, in a
 * form made from the server's schema with its defaults filled in, or shows the whole address that the server wants
 * opened. It waits its turn behind the questions of `confirmDialog()`.
 *
 * Sent is only what fits the schema, and only what a person sends on purpose: with a trusted click, or with Space or
 * Enter on the focused button, begun at least 300 ms after the dialog could be seen. An address is opened in the same
 * way, in a new tab that knows nothing of this page; https only. Decline tells the server no; Escape and the third
 * button cancel, as do the timeout, an abort, and a dialog that leaves the page.
 *
 * All of it but a few lines is fetched with `import()` when a server asks for the first time.
 *
 * @throws {@link ToolRegistrationError} when an option is wrong. The handler itself rejects where there is no page, and
 * for a question that cannot be asked: an address that is not https, a schema that is not flat.
 * @example new MCPClient({ url, namespace: 'files', elicit: elicitDialog() })
 */
export function elicitDialog(
  options: ElicitDialogOptions = {},
): (question: ElicitationQuestion) => Promise<ElicitationReply> {
  checkOptions(options, ['container', 'texts', 'timeoutMs', 'server'], where)
  checkDialogOptions(options, where)
  return async (question) => {
    if (!canAsk()) {
      throw new Error(
        'elicitDialog() can ask only in the page of a browser. Leave elicit out on a server and in a worker.',
      )
    }
    const { askInDialog } = await view()
    const { makeView, request } = askInDialog(question, options)
    const texts = { ...askingTextsEn, ...options.texts }
    const { timeoutMs } = options
    return replyOf(await askPerson({ request, container: containerOf(options), texts, timeoutMs, makeView }))
  }
}

function replyOf(decision: Awaited<ReturnType<typeof askPerson>>): ElicitationReply {
  if (!isObject(decision)) return { action: 'cancel' }
  const { approved, fields, unanswered } = decision
  if (approved) return defined({ action: 'accept' as const, content: fields })
  return { action: unanswered === undefined ? 'decline' : 'cancel' }
}

/** What is asked, as the queue of the dialogs takes it. */
export interface AskedInDialog extends Required<Pick<Parameters<typeof askPerson>[0], 'makeView'>> {
  readonly request: ApprovalRequest
}
