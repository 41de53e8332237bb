import { defined } from '../tool/defined.ts'
import { fingerprint } from '../tool/fingerprint.ts'
import { latePart } from '../tool/late-part.ts'
import { once } from '../tool/once.ts'
import type { StepContext } from '../tool/step-context.ts'
import type { Tool } from '../tool/tool.ts'
import { markOffered, originOf } from '../tool/tool-origin.ts'
import { isPromise, whenDone } from '../tool/when-done.ts'
import { type ListedTool, listTool } from './listed-tool.ts'
import { sameItems } from './same-items.ts'
import { gone, type ToolSource } from './tool-source.ts'

/** What runs them: it is fetched when they are first listed. */
const runHere = latePart(async () => {
  const { callHere, preflightHere } = await import('./run-here.ts')
  return { callHere, preflightHere }
})

/** What asks their `prepare` functions: it is fetched when one of them has one. */
const preparing = latePart(async () => {
  const { prepareHere } = await import('./prepare-here.ts')
  return { prepareHere }
})

/**
 * The tools of this realm as a source: same rules as in a worker, less protection. A tool that ignores its
 * signal cannot be ended here; its call settles all the same.
 *
 * @param find - Gives the tool of a name now.
 * @param all - Gives all tools now, in order. A list that is frozen is read once.
 * @param subscribe - For tools that change.
 */
export function localTools(
  find: (name: string) => Tool | undefined,
  all: () => Iterable<Tool>,
  subscribe?: (listener: () => void) => () => void,
): ToolSource {
  const source = toolsAsTheyAre(find, all, subscribe)
  let plain: Iterable<Tool> | undefined
  const self: ToolSource = {
    ...source,
    forStep: (context) => {
      const given = all()
      // A list that cannot change is looked through once: it may be long.
      if (given === plain) return undefined
      const tools = listOf(given)
      if (tools.some(hasPrepare)) return inStep(find, tools, context)
      if (Object.isFrozen(given)) plain = given
      return undefined
    },
  }
  return self
}

function toolsAsTheyAre(
  find: (name: string) => Tool | undefined,
  all: () => Iterable<Tool>,
  subscribe?: (listener: () => void) => () => void,
): ToolSource {
  let last:
    | {
        readonly given: Iterable<Tool>
        readonly tools: readonly Tool[]
        readonly listed: Promise<readonly ListedTool[]>
      }
    | undefined
  return {
    ...defined({ subscribe }),
    reportsStart: true,
    settlesSoon: true,
    list: () => {
      const given = all()
      if (given === last?.given && Object.isFrozen(given)) return last.listed
      const tools = listOf(given)
      if (last === undefined || !sameItems(tools, last.tools)) {
        last = { given, tools, listed: listReady(tools) }
        last.listed.catch(() => {
          last = undefined
        })
      }
      return last.listed
    },
    preflight: (name, input, options = {}) => {
      const tool = find(name)
      if (tool === undefined) return gone(name)
      return whenDone(runHere(), ({ preflightHere }) => preflightHere(tool, input, options))
    },
    call: (name, input, options = {}) => {
      const tool = find(name)
      if (tool === undefined || !isRoot(tool, options.root)) return Promise.resolve(gone(name))
      const here = runHere()
      return isPromise(here)
        ? here.then(({ callHere }) => callHere(tool, input, options))
        : here.callHere(tool, input, options)
    },
  }
}

// What cannot change need not be copied.
function listOf(tools: Iterable<Tool>): readonly Tool[] {
  return Array.isArray(tools) && Object.isFrozen(tools) ? tools : [...tools]
}

// One that is prepared for a step has the tool itself as its prototype.
function isRoot(tool: Tool, root: object | undefined): boolean {
  return root === undefined || root === tool || root === Object.getPrototypeOf(tool)
}

const hasPrepare = (tool: Tool) => tool['~internals'].options.prepare !== undefined

/** The tools as their own `prepare` functions have them in one step. */
async function inStep(
  find: (name: string) => Tool | undefined,
  tools: readonly Tool[],
  context: StepContext,
): Promise<ToolSource> {
  const { prepareHere } = await preparing()
  const all = await prepareHere(tools, await listAll(tools), context)
  const shown = new Map(all.map((one) => [one.tool.name, one]))
  return {
    ...toolsAsTheyAre(
      // One that was removed or replaced meanwhile is gone.
      (name) => (find(name) === shown.get(name)?.tool ? shown.get(name)?.prepared : undefined),
      () => tools,
    ),
    dynamic: true,
    list: async () => all.map(({ listed }) => listed),
  }
}

/** Once they are listed they can be called: what could not run them is found out before a model is asked. */
const listReady = async (tools: readonly Tool[]): Promise<readonly ListedTool[]> => {
  const [listed] = await Promise.all([listAll(tools), runHere()])
  return listed
}

const listAll = async (tools: readonly Tool[]): Promise<readonly ListedTool[]> =>
  Object.freeze(await Promise.all(tools.map(listOnce)))

// Each tool is listed once: its definition is frozen, and hashing it is the dear part.
const listOnce = once(async (tool: Tool): Promise<ListedTool> => {
  markOffered(tool)
  return listTool(tool.definition, await fingerprint(tool.definition), originOf(tool), tool)
})
