import { checkCount, checkMilliseconds, checkOptions } from '../tool/check-options.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { type ModelTexts, modelTextsEn } from '../tool/model-texts.ts'
import { leastResultChars } from '../tool/option-rules.ts'
import type { Tool } from '../tool/tool.ts'
import { hasMethods, isStringList } from '../tool/value-kinds.ts'
import type { ToolInput } from '../toolset/gather.ts'
import type { ToolMiddleware } from '../toolset/tool-middleware.ts'
import { checkPermissions, type ToolPermissions } from '../toolset/tool-permissions.ts'
import type { ToolSource } from '../toolset/tool-source.ts'
import type { ConfirmHandler } from './approval.ts'
import type { ExecutionEvent } from './execution-event.ts'
import type { Grants } from './grants.ts'
import type { Policy } from './policy-rule.ts'
import type { ResultStore } from './result-store.ts'

/** What is fixed for all calls of an executor. */
export interface ToolExecutorOptions<Deps = unknown> {
  /** One source, or a list of tools, toolkits and sources. */
  readonly tools: ToolSource | readonly ToolInput<Deps>[]
  /**
   * Asks the person; `pause` leaves the question open, to be answered later. Absent: a call that needs approval is
   * refused with a readable result.
   */
  readonly confirm?: ConfirmHandler | 'pause' | undefined
  /** Keeps a yes for longer than once. Absent: every call is asked about. */
  readonly grants?: Grants | undefined
  /**
   * What is asked about or refused beyond what tools want, above all in a run that has read text that is not to be
   * trusted: `confirm`, `strict`, `off`, or a list of rules instead of `defaultPolicy`. @default 'confirm'
   */
  readonly policy?: Policy
  /**
   * Where calls may go without being asked about once untrusted text was read: a host (`example.com`), all hosts below
   * one (`*.example.com`), an e-mail address, or all addresses of a host (`@example.com`). @default none
   */
  readonly trustedHosts?: readonly string[]
  /** Absent: every tool may run. */
  readonly permissions?: ToolPermissions | undefined
  /** The first is outermost. */
  readonly middleware?: readonly ToolMiddleware[]
  /** Deadline of a call whose tool sets none, in milliseconds. @default 60000 */
  readonly timeoutMs?: number
  /** How often the model may try a tool again that sets nothing itself. @default 1 */
  readonly maxRetries?: number
  /** Whether a call that fails aborts the others of its step. @default false */
  readonly failFast?: boolean
  /** Calls of one step beyond this many get a `limit` result. @default 32 */
  readonly maxCallsPerStep?: number
  /**
   * The text of a result has at most this many characters, unless its tool says otherwise; of a longer one the model
   * gets the ends, and the tool `read_result` for the rest. `data` stays whole. Infinity: no limit. @default 16000
   */
  readonly maxResultChars?: number
  /** Keeps what was too long, for `read_result`. @default opfsResultStore() */
  readonly resultStore?: ResultStore
  /** Sentences for the model that replace the English ones. */
  readonly texts?: Partial<ModelTexts>
  /**
   * The agent's own tool, to which permissions do not apply.
   *
   * @internal
   */
  readonly alwaysPermitted?: Tool
  /** Told everything that happens to calls, in order. */
  onEvent?(event: ExecutionEvent): void
}

/** The options that an agent hands on. */
export const sharedOptionNames: readonly string[] = [
  ...[
    'tools',
    'confirm',
    'grants',
    'permissions',
    'policy',
    'trustedHosts',
    'middleware',
    'timeoutMs',
    'maxRetries',
    'failFast',
    'maxResultChars',
    'resultStore',
    'texts',
  ],
]

const optionNames = [...sharedOptionNames, 'maxCallsPerStep', 'alwaysPermitted', 'onEvent']

/** Throws a {@link ToolRegistrationError} for options that cannot work. */
export function checkExecutorOptions(options: ToolExecutorOptions<never>, where: string): void {
  checkOptions(options, optionNames, where)
  checkPermissions(options.permissions, where)
  checkMiddleware(options.middleware, where)
  checkPolicy(options, where)
  const { confirm } = options
  if (confirm !== undefined && confirm !== 'pause' && typeof confirm !== 'function') {
    throw new ToolRegistrationError(
      `${where}, confirm: expected a function, for example confirmDialog(), or "pause".`,
    )
  }
  checkCount(options.maxRetries, 0, `${where}, maxRetries`)
  checkCount(options.maxResultChars, leastResultChars, `${where}, maxResultChars`)
  if (
    options.resultStore !== undefined &&
    !hasMethods(options.resultStore, 'put', 'read', 'list', 'delete')
  ) {
    throw new ToolRegistrationError(
      `${where}, resultStore: expected put, read, list and delete, as of opfsResultStore().`,
    )
  }
  if (options.texts !== undefined) {
    checkOptions(options.texts, [...Object.keys(modelTextsEn), 'results'], `${where}, texts`)
  }
  checkMilliseconds(options.timeoutMs, 'timeoutMs', where)
}

/** Throws a {@link ToolRegistrationError} for middleware that would do nothing. */
function checkMiddleware(middleware: readonly ToolMiddleware[] | undefined, where: string): void {
  if (middleware === undefined) return
  if (!Array.isArray(middleware)) {
    throw new ToolRegistrationError(`${where}, middleware: expected a list.`)
  }
  for (const [index, item] of middleware.entries()) {
    checkOptions(item, ['name', 'before', 'wrap', 'after'], `${where}, middleware[${index}]`)
  }
}

/** Throws a {@link ToolRegistrationError} for a policy that would protect nothing. */
function checkPolicy(
  { policy = 'confirm', trustedHosts = [] }: Pick<ToolExecutorOptions, 'policy' | 'trustedHosts'>,
  where: string,
): void {
  const isPolicy = Array.isArray(policy)
    ? policy.every((rule) => hasMethods(rule, 'judge') && typeof rule.name === 'string')
    : ['off', 'confirm', 'strict'].includes(policy as string)
  if (!isPolicy) {
    throw new ToolRegistrationError(
      `${where}, policy: expected "confirm", "strict", "off" or a list of rules { name, judge(question) }.`,
    )
  }
  if (!isStringList(trustedHosts)) {
    throw new ToolRegistrationError(`${where}, trustedHosts: expected a list of hosts and e-mail addresses.`)
  }
}
