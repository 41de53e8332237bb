import { checkOptions } from '../tool/check-options.ts'
import { defined } from '../tool/defined.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import type { RunContext } from '../tool/run-context.ts'
import { isTool, Tool } from '../tool/tool.ts'
import { checkToolName } from '../tool/tool-name.ts'
import { shownName, type ToolOptions } from '../tool/tool-options.ts'
import { originOf, stampOrigin } from '../tool/tool-origin.ts'
import { isRecord } from '../tool/value-kinds.ts'
import { nameHint } from './known-names.ts'
import { checkUsualLimits, type UsualLimits } from './usual-limits.ts'

/** What {@link Toolkit} takes. */
export interface ToolkitOptions<Deps = unknown> extends UsualLimits {
  /** Names the group; becomes the prefix when `prefix` is true. */
  readonly name: string
  readonly tools: readonly Tool<unknown, Deps, string, unknown>[]
  /** Whether names become `{kit name}_{tool name}`. @default false: names stay as they are */
  readonly prefix?: boolean
  /** Keep only these tools, by the name they were defined with. */
  readonly include?: readonly string[]
  /** Leave these tools out, by the name they were defined with. */
  readonly exclude?: readonly string[]
  /** The tools for which a person is always asked, by the name they were defined with. @default as each tool says */
  readonly needsApproval?: readonly string[] | 'all'
}

/**
 * A named group of tools that is passed round as one thing. `Deps` is what all of them together need.
 *
 * @throws {@link ToolRegistrationError} when `include`, `exclude` or `needsApproval` names a tool that is not in the
 * group (a misspelt safety list protects nothing), when two tools share a name, or a name gets too long.
 * @example new Toolkit({ name: 'math', tools: [add, divide], prefix: true }) // math_add, math_divide
 */
export class Toolkit<Deps = unknown> {
  readonly name: string
  /** The tools that are left, under the names they are offered with. */
  readonly tools: readonly Tool<unknown, Deps, string, unknown>[]

  /** What to do when one of its tools has a name that is taken. */
  readonly conflictHint: string

  constructor(options: ToolkitOptions<Deps>) {
    const where = `toolkit ${shownName(options)}`
    checkToolkitOptions(options, where)
    const { name, tools, prefix, include, exclude } = options
    this.name = name
    this.tools = Object.freeze(
      tools
        .filter((tool) => include?.includes(tool.name) ?? true)
        .filter((tool) => !(exclude?.includes(tool.name) ?? false))
        .map((tool) => changed(tool as Tool, options) as Tool<unknown, Deps, string, unknown>),
    )
    this.conflictHint = prefix
      ? `Give the toolkit "${name}" another name: it is the prefix.`
      : `Give the toolkit "${name}" prefix: true.`
  }
}

function checkToolkitOptions<Deps>(options: ToolkitOptions<Deps>, where: string): void {
  checkOptions(options, optionNames, where)
  checkToolName(options.name, where)
  if (options.prefix !== undefined && typeof options.prefix !== 'boolean') {
    throw new ToolRegistrationError(`${where}, prefix: expected true or false; the prefix is the kit's name.`)
  }
  checkUsualLimits(options, where)
  const names = checkedNames(options.tools, where)
  const { include, exclude, needsApproval } = options
  checkKnown(include, names, `${where}, include`)
  checkKnown(exclude, names, `${where}, exclude`)
  if (needsApproval !== 'all') checkKnown(needsApproval, names, `${where}, needsApproval`)
}

const optionNames = [
  ...['name', 'tools', 'prefix', 'include', 'exclude'],
  ...['timeoutMs', 'maxRetries', 'maxResultChars', 'needsApproval'],
]

/** Whether a value is a toolkit, made by this or another copy of the library. */
export function isToolkit(value: unknown): value is Toolkit<never> {
  return isRecord(value) && Array.isArray(value.tools) && !('list' in value)
}

function checkedNames(tools: readonly { readonly name: string }[], where: string): Set<string> {
  if (!Array.isArray(tools) || !tools.every(isTool)) {
    throw new ToolRegistrationError(`${where}, tools: expected a list of tools made with tool({ … }) or new.`)
  }
  const names = new Set<string>()
  for (const { name } of tools) {
    if (names.has(name)) {
      throw new ToolRegistrationError(`${where}: two tools are named "${name}". Rename one of them.`)
    }
    names.add(name)
  }
  return names
}

function checkKnown(list: readonly string[] | undefined, names: ReadonlySet<string>, where: string): void {
  if (list === undefined) return
  if (!Array.isArray(list)) throw new ToolRegistrationError(`${where}: expected a list of tool names.`)
  for (const name of list) {
    if (names.has(name)) continue
    throw new ToolRegistrationError(`${where}: there is no tool "${name}" in it. ${nameHint(name, names)}`)
  }
}

/** The tool as the kit offers it; the same when it changes nothing. */
function changed(tool: Tool, kit: ToolkitOptions<never>): Tool {
  const { timeoutMs, maxRetries, maxResultChars } = kit
  const options: ToolOptions = tool['~internals'].options
  const asks = kit.needsApproval === 'all' || kit.needsApproval?.includes(tool.name)
  const changes: Partial<ToolOptions> = defined({
    name: kit.prefix ? `${kit.name}_${tool.name}` : undefined,
    timeoutMs: options.timeoutMs === undefined ? timeoutMs : undefined,
    maxRetries: options.maxRetries === undefined ? maxRetries : undefined,
    maxResultChars: options.maxResultChars === undefined ? maxResultChars : undefined,
    needsApproval: asks ? true : undefined,
  })
  if (Object.keys(changes).length === 0) return tool
  if (changes.name !== undefined) checkToolName(changes.name, `toolkit tool "${tool.name}" with its prefix`)
  return stampOrigin(new ChangedTool(tool, { ...options, ...changes }), originOf(tool))
}

class ChangedTool extends Tool {
  readonly #inner: Tool

  constructor(inner: Tool, options: ToolOptions) {
    super(options)
    this.#inner = inner
  }

  override execute(input: unknown, context: RunContext): unknown {
    return this.#inner.execute(input, context)
  }
}
