import { checkOptions } from '../tool/check-options.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { isTool, type Tool, tool } from '../tool/tool.ts'
import type { ToolOptions } from '../tool/tool-options.ts'
import { originOf, trustOf } from '../tool/tool-origin.ts'
import { isToolkit, type Toolkit } from '../toolset/toolkit.ts'
import { isSameOwner } from './same-owner.ts'

/** A tool, or the plain options of `tool()`; read and checked when it is registered. */
export type ToolLike =
  | Tool<unknown, never, string, unknown>
  | (Omit<ToolOptions<never, never>, 'inputSchema'> & {
      readonly inputSchema?: unknown
      execute(...args: never[]): unknown
    })

/** How many tools at once are registered. */
export interface RegisterAllOptions {
  /** What happens to a name that is taken. @default 'error': nothing is registered at all */
  readonly onConflict?: 'error' | 'skip' | 'overwrite'
  /** What happens to a definition that is wrong. @default 'throw' */
  readonly onInvalid?: 'throw' | 'setAside'
  /** Who registers; the same owner replaces its own tools (hot reload). */
  readonly owner?: string
}

/** What {@link ToolRegistry.registerAll} did, by name. */
export interface RegisterAllReport {
  readonly registered: readonly string[]
  readonly replaced: readonly string[]
  readonly skipped: readonly string[]
  readonly setAside: readonly { readonly name: string; readonly reason: string }[]
}

interface Taken {
  readonly tool: Tool
  readonly owner: string | undefined
}

/** Decides what a registration of many does, without doing it: so that it can be all or nothing. */
export function planRegistration(
  tools: Toolkit<never> | readonly ToolLike[],
  find: (name: string) => Taken | undefined,
  options: RegisterAllOptions,
): { readonly additions: readonly Tool[]; readonly report: RegisterAllReport } {
  checkRegisterAll(tools, options)
  const report = {
    registered: [] as string[],
    replaced: [] as string[],
    skipped: [] as string[],
    setAside: [] as { name: string; reason: string }[],
  }
  const additions = new Map<string, Tool>()
  for (const item of isToolkit(tools) ? tools.tools : tools) {
    const made = make(item, options.onInvalid ?? 'throw')
    if ('reason' in made) {
      report.setAside.push(made)
      continue
    }
    const { name } = made
    const inList = additions.get(name)
    const taken = inList === undefined ? find(name) : { tool: inList, owner: undefined }
    if (taken !== undefined && !settleConflict(taken, made, options)) {
      report.skipped.push(name)
      continue
    }
    if (inList === undefined) (taken === undefined ? report.registered : report.replaced).push(name)
    additions.set(name, made)
  }
  return { additions: [...additions.values()], report }
}

function checkRegisterAll(tools: unknown, options: RegisterAllOptions): void {
  checkOptions(options, ['onConflict', 'onInvalid', 'owner'], 'registerAll()')
  if (!isToolkit(tools) && !Array.isArray(tools)) {
    throw new ToolRegistrationError('registerAll(): expected a list of tools or a Toolkit.')
  }
  if (!['error', 'skip', 'overwrite'].includes(options.onConflict ?? 'error')) {
    throw new ToolRegistrationError(
      `registerAll(), onConflict: expected "error", "skip" or "overwrite", got "${options.onConflict}".`,
    )
  }
  if (!['throw', 'setAside'].includes(options.onInvalid ?? 'throw')) {
    throw new ToolRegistrationError(
      `registerAll(), onInvalid: expected "throw" or "setAside", got "${options.onInvalid}".`,
    )
  }
}

function make(item: ToolLike, onInvalid: 'throw' | 'setAside'): Tool | { name: string; reason: string } {
  if (isTool(item)) return item
  try {
    return tool(item as Parameters<typeof tool>[0]) as Tool
  } catch (error) {
    if (onInvalid === 'throw' || !(error instanceof ToolRegistrationError)) throw error
    return { name: String(item?.name ?? '(without a name)'), reason: error.message }
  }
}

/** Whether the new tool takes the place of the one that has the name. */
function settleConflict(taken: Taken, added: Tool, options: RegisterAllOptions): boolean {
  const [older, newer] = [originOf(taken.tool), originOf(added)]
  if (options.onConflict === 'skip') return false
  if (trustOf(newer) < trustOf(older)) {
    throw new ToolRegistrationError(
      `registerAll(): a tool of origin "${newer}" cannot replace "${added.name}" of origin "${older}". Give it another name.`,
    )
  }
  if (options.onConflict === 'overwrite' || isSameOwner(options.owner, taken.owner)) return true
  throw new ToolRegistrationError(
    `registerAll(): two tools are named "${added.name}" (origins "${older}" and "${newer}"). ` +
      'Rename one of them, or pass onConflict: "skip" or "overwrite". Nothing was registered.',
  )
}
