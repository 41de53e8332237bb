import { confirmDialog } from '../dialog/confirm-dialog.ts'
import type { ConfirmHandler } from '../execution/approval.ts'
import type { ToolExecutorOptions } from '../execution/executor-options.ts'
import { checkOptions } from '../tool/check-options.ts'
import { ToolRegistrationError } from '../tool/errors.ts'

// A host knows no steps, and takes no further tool (`read_result`) in the middle of a run: what is about those is not here.
type FromExecutor = Pick<
  ToolExecutorOptions,
  | 'grants'
  | 'policy'
  | 'trustedHosts'
  | 'permissions'
  | 'middleware'
  | 'timeoutMs'
  | 'maxRetries'
  | 'texts'
  | 'onEvent'
>

/** How calls of another loop pass the gate. */
export interface HostExecutorOptions extends FromExecutor {
  /**
   * Who asks the person. `dialog`: this page, with `confirm`. `host`: the other loop, by the means that it has for it; a
   * yes is to exactly the call that it was asked about. What only this page can ask (a tool that has changed, a yes to more than the input, fields
   * that the person fills in, a question that comes up while a tool runs) goes to `confirm`, and is refused without one.
   * @default 'dialog'
   */
  readonly approval?: 'dialog' | 'host'
  /** Asks the person on this page. @default confirmDialog(), where this page asks */
  readonly confirm?: ConfirmHandler
}

// An object and not a list: a new option that is missing here does not compile.
const names: Readonly<Record<keyof HostExecutorOptions, true>> = {
  ...{ approval: true, confirm: true },
  ...{ grants: true, policy: true, trustedHosts: true, permissions: true, middleware: true, timeoutMs: true },
  ...{ maxRetries: true, texts: true, onEvent: true },
}

/**
 * Checks what the executor does not check itself.
 *
 * @param further - Options beside those of an executor.
 * @throws {@link ToolRegistrationError} for an option that cannot be.
 */
export function checkHostOptions(
  options: HostExecutorOptions,
  further: readonly string[],
  where: string,
): void {
  checkOptions(options, [...Object.keys(names), ...further], where)
  const { approval = 'dialog' } = options
  if (approval === 'dialog' || approval === 'host') return
  throw new ToolRegistrationError(
    `${where}, approval: expected "dialog" or "host", got ${JSON.stringify(approval)}.`,
  )
}

/** What the executor does with a question. */
export function whoAsks(
  approval: 'dialog' | 'host',
  confirm: ConfirmHandler | undefined,
): ConfirmHandler | 'pause' {
  return confirm ?? (approval === 'dialog' ? confirmDialog() : 'pause')
}
