import type { Preflight } from '../tool/call-outcome.ts'
import { now } from '../tool/clock.ts'
import { defined } from '../tool/defined.ts'
import { fingerprint } from '../tool/fingerprint.ts'
import { once } from '../tool/once.ts'
import { preflightTool } from '../tool/preflight-tool.ts'
import { randomId } from '../tool/random-id.ts'
import type { RunContext } from '../tool/run-context.ts'
import { runTool } from '../tool/run-tool.ts'
import { untilGivenUp, within } from '../tool/time-limit.ts'
import type { Tool } from '../tool/tool.ts'
import { originOf, stampOrigin } from '../tool/tool-origin.ts'
import { gone, type ListedTool, type SourceCallOptions, type ToolSource } from './tool-source.ts'

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
 */
export function localTools(find: (name: string) => Tool | undefined, all: () => Iterable<Tool>): ToolSource {
  return {
    reportsStart: true,
    list: () => Promise.all(Array.from(all(), listTool)),
    preflight: async (name, input, options = {}) => {
      const tool = find(name)
      if (tool === undefined) return gone(name)
      return withinLimit(preflightTool(tool, input, contextFor(tool, options)))
    },
    call: async (name, input, options = {}) => {
      const tool = find(name)
      if (tool === undefined) return gone(name)
      if (options.signal?.aborted) return { kind: 'stopped', mayHaveRun: false }
      options.onStart?.({ at: now() })
      const running = runTool(tool, input, contextFor(tool, options))
      const { signal, graceMs = defaultGraceMs } = options
      return signal === undefined ? running : untilGivenUp(running, signal, graceMs)
    },
  }
}

// Each tool is listed once: its definition is frozen, and hashing it is the dear part.
const listTool = once(async (tool: Tool): Promise<ListedTool> => {
  const { definition } = tool
  const origin = originOf(tool)
  return stampOrigin(
    Object.freeze({ definition, fingerprint: await fingerprint(definition), origin }),
    origin,
  )
})

/** What a tool of this realm is told about a call. */
function contextFor(tool: Tool, options: SourceCallOptions): RunContext {
  const { runId, step, deps, approval } = options
  return {
    callId: options.callId ?? randomId('call'),
    toolName: tool.name,
    origin: originOf(tool),
    signal: options.signal ?? new AbortController().signal,
    deps,
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
