import * as v from 'valibot'
import { checkCount, checkMilliseconds, checkOptions } from '../../tool/check-options.ts'
import { ApprovalRequired, ToolFailed, ToolRegistrationError } from '../../tool/errors.ts'
import type { JsonObject } from '../../tool/json-value.ts'
import type { RunContext } from '../../tool/run-context.ts'
import { Tool } from '../../tool/tool.ts'
import { stampOrigin } from '../../tool/tool-origin.ts'
import { ToolResponse } from '../../tool/tool-response.ts'
import { isStringList } from '../../tool/value-kinds.ts'
import { type CompanionOption, callCompanion } from '../companion/call-companion.ts'
import { startCommand } from '../companion/start-command.ts'
import { type CLITexts, cliTextsEn } from './cli-texts.ts'
import { type CommandPlan, type DigestedPlan, readPlan } from './command-plan.ts'

interface CLIInput {
  readonly command: string
}

/** What {@link CLITool} takes. It narrows what the companion allows; nothing here widens that. */
export interface CLIToolOptions {
  /** What `connectCompanion` gave, or a function that gives it once it is there. Without one the tool says how to start one. */
  readonly companion?: CompanionOption
  /** Programs that may run, of those that the companion allows. @default all of them */
  readonly allowedCommands?: readonly string[]
  /** How long a command may run, in milliseconds; the companion allows at most 120,000. @default 10000 */
  readonly timeoutMs?: number
  /** Longer output is cut, in characters; the companion keeps at most 50,000. @default 4000 */
  readonly maxOutputChars?: number
  /**
   * The app's own rule: anything but `true` refuses the command, a text says why. One that throws refuses it.
   * @default every command that the companion allows
   */
  argPolicy?(plan: CommandPlan): boolean | string | Promise<boolean | string>
  /** Sentences that replace the English ones. */
  readonly texts?: Partial<CLITexts>
}

/** The companion says itself that a command was stopped; the page waits a little longer for that. In milliseconds. */
const behindDeadlineMs = 5_000
/** What a plan may take, in milliseconds. */
const planMs = 10_000

/**
 * Runs one command on the person's machine, through the companion: the tool `shell` with one parameter, `command`. A
 * person is asked each time, with the exact words, the file of the program and the folder; what was shown is what runs,
 * and no yes is remembered. `data` of the response is `{ exitCode, signal, truncated, argv, program, folder }`; an exit
 * code other than 0 is a `partial` response.
 *
 * @throws {@link ToolRegistrationError} for an option that cannot be.
 * @example new CLITool({ companion: await connectCompanion(link), allowedCommands: ['git', 'ls'] })
 */
export class CLITool extends Tool<CLIInput, unknown, 'shell', CLIInput> {
  readonly #options: CLIToolOptions
  readonly #texts: CLITexts

  constructor(options: CLIToolOptions = {}) {
    checkCLIOptions(options)
    const texts = { ...cliTextsEn, ...options.texts }
    const { timeoutMs = 10_000 } = options
    super({
      name: 'shell',
      description: texts.toolDescription,
      inputSchema: v.object({
        command: v.pipe(v.string(), v.minLength(1), v.description(texts.commandDescription)),
      }),
      needsApproval: true,
      check: (input, context) => this.#check(input, context),
      timeoutMs: timeoutMs + behindDeadlineMs,
      // What a command of the user's own config file does, nobody here can know.
      effect: 'external',
      egress: true,
      reads: 'private',
      externalContent: true,
    })
    this.#options = options
    this.#texts = texts
    // A subclass is the app's own code.
    if (new.target === CLITool) stampOrigin(this, 'builtin')
  }

  override async execute({ command }: CLIInput, context: RunContext): Promise<ToolResponse> {
    const { timeoutMs = 10_000, maxOutputChars = 4_000 } = this.#options
    const digest = context.approval?.boundTo
    if (digest === undefined) throw new ToolFailed(this.#texts.notShown)
    const limits = {
      timeoutMs: Math.ceil(Math.min(timeoutMs, 120_000)),
      maxOutputChars: Math.min(maxOutputChars, 50_000),
    }
    const input = { command, digest, ...limits }
    const { text, status, data } = await this.#ask(input, timeoutMs + behindDeadlineMs, context)
    const { status: said, ...rest } = Object(data) as { readonly status?: unknown }
    const kept = data === undefined ? {} : { data: rest }
    if (status === 'error') return ToolResponse.error(text, kept)
    return ToolResponse[said === 'success' && status === 'success' ? 'ok' : 'partial'](text, kept)
  }

  /** Asks the companion what would run, and the person whether that may. */
  async #check({ command }: CLIInput, context: RunContext): Promise<void> {
    const { text, data } = await this.#ask({ command, dryRun: true }, planMs, context)
    const plan = readPlan(data)
    // The companion's refusal says what to write instead.
    if (plan === undefined) throw new ToolFailed(text)
    await this.#narrow(plan)
    const { program, folder, digest } = plan
    const argv = JSON.stringify(plan.argv)
    throw new ApprovalRequired(this.#texts.question({ argv, program, folder }), { boundTo: digest })
  }

  async #narrow({ digest: _digest, ...plan }: DigestedPlan): Promise<void> {
    const { allowedCommands, argPolicy } = this.#options
    const [program = ''] = plan.words
    if (allowedCommands !== undefined && !allowedCommands.includes(program)) {
      throw new ToolFailed(this.#texts.notAllowed({ program, allowed: allowedCommands.join(', ') }))
    }
    if (argPolicy === undefined) return
    let answer: unknown
    try {
      answer = await argPolicy.call(this.#options, plan)
    } catch {
      // As good as a no.
    }
    if (answer === true) return
    throw new ToolFailed(this.#texts.refused({ reason: typeof answer === 'string' ? answer : '' }))
  }

  async #ask(input: JsonObject, timeoutMs: number, context: RunContext): Promise<ToolResponse> {
    const call = { tool: 'shell', input, timeoutMs } as const
    const answer = await callCompanion(this.#options.companion, call, context)
    if (answer.kind === 'answer') return answer.response
    const { reason } = answer
    if (answer.kind === 'failed') throw new ToolFailed(this.#texts.failed({ reason }))
    throw new ToolFailed(this.#texts.noCompanion({ start: startCommand(), reason }))
  }
}

function checkCLIOptions(options: CLIToolOptions): void {
  const where = 'new CLITool()'
  const known = ['companion', 'allowedCommands', 'timeoutMs', 'maxOutputChars', 'argPolicy', 'texts']
  checkOptions(options, known, where)
  const { allowedCommands, argPolicy, timeoutMs, maxOutputChars } = options
  checkMilliseconds(timeoutMs, 'timeoutMs', where)
  checkCount(maxOutputChars, 1, `${where}: maxOutputChars`)
  if (allowedCommands !== undefined && !isStringList(allowedCommands)) {
    throw new ToolRegistrationError(`${where}: allowedCommands must be a list of names of programs.`)
  }
  if (argPolicy !== undefined && typeof argPolicy !== 'function') {
    throw new ToolRegistrationError(`${where}: argPolicy must be a function of the plan.`)
  }
}
