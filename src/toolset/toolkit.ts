import { checkOptions } from '../tool/check-options.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { isRecord } from '../tool/json-value.ts'
import type { RunContext } from '../tool/run-context.ts'
import { isTool, Tool } from '../tool/tool.ts'
import { checkToolName, closestName } from '../tool/tool-name.ts'
import { shownName } from '../tool/tool-options.ts'
import { originOf, stampOrigin } from '../tool/tool-origin.ts'

/** What {@link Toolkit} takes. */
export interface ToolkitOptions<Deps = unknown> {
  /** Names the group; becomes the prefix when `prefix` is true. */
  readonly name: string
  readonly tools: readonly Tool<unknown, Deps, string, unknown>[]
  /** Whether names become `{kit name}_{tool name}`. @default false: names stay as they are */
  readonly prefix?: boolean
  /** Keep only these tools, by the name they were defined with. */
  readonly include?: readonly string[]
  /** Leave these tools out, by the name they were defined with. */
  readonly exclude?: readonly string[]
}

/**
 * A named group of tools that is passed round as one thing. `Deps` is what all of them together need.
 *
 * @throws {@link ToolRegistrationError} when `include` or `exclude` names a tool that is not in the group
 * (a misspelt safety list protects nothing), when two tools share a name, or a name gets too long.
 * @example new Toolkit({ name: 'math', tools: [add, divide], prefix: true }) // math_add, math_divide
 */
export class Toolkit<Deps = unknown> {
  readonly name: string
  /** The tools that are left, under the names they are offered with. */
  readonly tools: readonly Tool<unknown, Deps, string, unknown>[]

  constructor(options: ToolkitOptions<Deps>) {
    const where = `toolkit ${shownName(options)}`
    checkOptions(options, ['name', 'tools', 'prefix', 'include', 'exclude'], where)
    checkToolName(options.name, where)
    if (options.prefix !== undefined && typeof options.prefix !== 'boolean') {
      throw new ToolRegistrationError(
        `${where}, prefix: expected true or false; the prefix is the kit's name.`,
      )
    }
    const names = checkedNames(options.tools, where)
    checkKnown(options.include, names, `${where}, include`)
    checkKnown(options.exclude, names, `${where}, exclude`)
    this.name = options.name
    this.tools = Object.freeze(
      options.tools
        .filter(({ name }) => options.include?.includes(name) ?? true)
        .filter(({ name }) => !(options.exclude?.includes(name) ?? false))
        .map((tool) => (options.prefix ? withName(tool, `${options.name}_${tool.name}`) : tool)),
    )
  }
}

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
    const close = closestName(name, names)
    const hint = close === undefined ? `The tools are ${[...names].join(', ')}.` : `Did you mean "${close}"?`
    throw new ToolRegistrationError(`${where}: there is no tool "${name}" in it. ${hint}`)
  }
}

function withName<Deps>(
  tool: Tool<unknown, Deps, string, unknown>,
  name: string,
): Tool<unknown, Deps, string, unknown> {
  checkToolName(name, `toolkit tool "${tool.name}" with its prefix`)
  return stampOrigin(new RenamedTool(tool as Tool, name), originOf(tool)) as Tool<unknown, Deps>
}

class RenamedTool extends Tool {
  readonly #inner: Tool

  constructor(inner: Tool, name: string) {
    super({ ...inner['~internals'].options, name })
    this.#inner = inner
  }

  override execute(input: unknown, context: RunContext): unknown {
    return this.#inner.execute(input, context)
  }
}
