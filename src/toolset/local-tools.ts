import type { Preflight } from '../tool/call-outcome.ts'
import { now } from '../tool/clock.ts'
import { defined } from '../tool/defined.ts'
import { fingerprint } from '../tool/fingerprint.ts'
import { once } from '../tool/once.ts'
import { preflightTool } from '../tool/preflight-tool.ts'
import { randomId } from '../tool/random-id.ts'
import type { RunContext } from '../tool/run-context.ts'
import { runTool } from '../tool/run-tool.ts'
import type { StepContext } from '../tool/step-context.ts'
import { untilGivenUp, within } from '../tool/time-limit.ts'
import type { Tool } from '../tool/tool.ts'
import { markOffered, originOf, stampOrigin } from '../tool/tool-origin.ts'
import { type ListedTool, listTool } from './listed-tool.ts'
import { prepareTool } from './prepare-definition.ts'
import { sameItems } from './same-items.ts'
import { gone, type SourceCallOptions, type ToolSource } from './tool-source.ts'

/** After its signal aborted, a tool in this realm gets this long to settle. In milliseconds. */
const defaultGraceMs = 100

/** Turns of the microtask queue in which a check that waits for nothing is over. */
const promptTurns = 20

/** A check that has not answered by then is given up. In milliseconds. */
const preflightLimitMs = 3_000

/**
 * The tools of this realm as a source: same rules as in a worker, less protection. A tool that ignores its
 * signal cannot be ended here; its call settles all the same.
 *
 * @param find - Gives the tool of a name now.
 * @param all - Gives all tools now, in order.
 * @param subscribe - For tools that change.
 */
export function localTools(
  find: (name: string) => Tool | undefined,
  all: () => Iterable<Tool>,
  subscribe?: (listener: () => void) => () => void,
): ToolSource {
  const source = toolsAsTheyAre(find, all, subscribe)
  const self: ToolSource = {
    ...source,
    forStep: (context) => {
      const tools = [...all()]
      return tools.some(prepareOf) ? inStep(find, tools, context) : undefined
    },
  }
  return self
}

function toolsAsTheyAre(
  find: (name: string) => Tool | undefined,
  all: () => Iterable<Tool>,
  subscribe?: (listener: () => void) => () => void,
): ToolSource {
  let last: { readonly tools: readonly Tool[]; readonly listed: Promise<readonly ListedTool[]> } | undefined
  return {
    ...defined({ subscribe }),
    reportsStart: true,
    list: () => {
      const tools = [...all()]
      if (last === undefined || !sameItems(tools, last.tools)) last = { tools, listed: listAll(tools) }
      return last.listed
    },
    preflight: async (name, input, options = {}) => {
      const tool = find(name)
      if (tool === undefined) return gone(name)
      return withinLimit(preflightTool(tool, input, contextFor(tool, options), options.filledByPerson))
    },
    call: async (name, input, options = {}) => {
      const tool = find(name)
      if (tool === undefined || !isRoot(tool, options.root)) return gone(name)
      if (options.signal?.aborted) return { kind: 'stopped', mayHaveRun: false }
      // An external tool has no body that could start: its answer comes later.
      if (!tool.definition.external) options.onStart?.({ at: now() })
      const running = runTool(tool, input, contextFor(tool, options))
      const { signal, graceMs = defaultGraceMs } = options
      return signal === undefined ? running : untilGivenUp(running, signal, graceMs)
    },
  }
}

// One that is prepared for a step has the tool itself as its prototype.
function isRoot(tool: Tool, root: object | undefined): boolean {
  return root === undefined || root === tool || root === Object.getPrototypeOf(tool)
}

const prepareOf = (tool: Tool) => tool['~internals'].options.prepare

/** The tools as their own `prepare` functions have them in one step. */
async function inStep(
  find: (name: string) => Tool | undefined,
  tools: readonly Tool[],
  context: StepContext,
): Promise<ToolSource> {
  const shown = new Map<
    string,
    { readonly tool: Tool; readonly prepared: Tool; readonly listed: ListedTool }
  >()
  const all = await Promise.all(
    tools.map(async (tool) => {
      const listed = await listOnce(tool)
      const prepare = prepareOf(tool)
      return prepare === undefined ? listed : prepareTool(listed, prepare, context, 'prepare')
    }),
  )
  for (const [index, listed] of all.entries()) {
    const tool = tools[index]
    if (tool !== undefined && listed !== undefined) {
      shown.set(tool.name, { tool, listed, prepared: redefined(tool, listed) })
    }
  }
  const step: ToolSource = {
    ...toolsAsTheyAre(
      // One that was removed or replaced meanwhile is gone.
      (name) => (find(name) === shown.get(name)?.tool ? shown.get(name)?.prepared : undefined),
      () => tools,
    ),
    dynamic: true,
    list: async () => Array.from(shown.values(), ({ listed }) => listed),
  }
  return step
}

/** The same tool with another definition: what it keeps and what it does stay its own. */
function redefined(tool: Tool, { definition }: ListedTool): Tool {
  if (definition === tool.definition) return tool
  const prepared: Tool = Object.create(tool, {
    definition: { value: definition },
    execute: { value: tool.execute.bind(tool) },
  })
  return stampOrigin(prepared, originOf(tool))
}

const listAll = async (tools: readonly Tool[]): Promise<readonly ListedTool[]> =>
  Object.freeze(await Promise.all(tools.map(listOnce)))

// Each tool is listed once: its definition is frozen, and hashing it is the dear part.
const listOnce = once(async (tool: Tool): Promise<ListedTool> => {
  markOffered(tool)
  return listTool(tool.definition, await fingerprint(tool.definition), originOf(tool), tool)
})

/** What a tool of this realm is told about a call. */
function contextFor(tool: Tool, options: SourceCallOptions): RunContext {
  const { runId, step, deps, approval, attempt = 1, maxRetries = 1 } = options
  return {
    callId: options.callId ?? randomId('call'),
    toolName: tool.name,
    origin: originOf(tool),
    signal: options.signal ?? new AbortController().signal,
    deps,
    attempt,
    maxRetries,
    ...defined({ runId, step, approval }),
    progress: (value) => options.onProgress?.(value),
    log: (message, data) => options.onLog?.(defined({ message, data })),
  }
}

async function withinLimit(preflight: Promise<Preflight>): Promise<Preflight> {
  let settled = false
  const done = () => {
    settled = true
  }
  preflight.then(done, done)
  // A check that waits for nothing is over within a few turns, and a timer would cost more than it.
  for (let turn = 0; turn < promptTurns && !settled; turn += 1) await undefined
  return settled ? preflight : within(preflight, preflightLimitMs, { kind: 'timeout' })
}
