import type { CallOutcome } from '../tool/call-outcome.ts'
import { now } from '../tool/clock.ts'
import { preflightTool } from '../tool/preflight-tool.ts'
import { randomId } from '../tool/random-id.ts'
import type { RunContext } from '../tool/run-context.ts'
import { runTool } from '../tool/run-tool.ts'
import type { Tool } from '../tool/tool.ts'
import { fingerprint } from '../tool/tool-definition.ts'
import { originOf, stampOrigin } from '../tool/tool-origin.ts'
import type { ListedTool, SourceCallOptions, ToolSource } from './tool-source.ts'

/** After its signal aborted, a tool in this realm gets this long to settle. In milliseconds. */
export const graceMs = 100

/**
 * The tools of this realm as a source: same rules as in a worker, less protection. A tool that ignores its
 * signal cannot be ended here; its call settles all the same.
 *
 * @param find - Gives the tool of a name now.
 * @param names - Gives all tools now, in order.
 */
export function localTools(find: (name: string) => Tool | undefined, all: () => Iterable<Tool>): ToolSource {
  return {
    reportsStart: true,
    list: async () => Array.from(all(), listTool),
    preflight: async (name, input, options = {}) => {
      const tool = find(name)
      if (tool === undefined) return missing(name)
      return preflightTool(tool, input, contextFor(tool, options))
    },
    call: async (name, input, options = {}) => {
      const tool = find(name)
      if (tool === undefined) return missing(name)
      if (options.signal?.aborted) return { kind: 'stopped', mayHaveRun: false }
      options.onStart?.({ at: now() })
      return untilStopped(runTool(tool, input, contextFor(tool, options)), options.signal)
    },
  }
}

const listings = new WeakMap<Tool, ListedTool>()

/** How a tool of this realm is listed, with its origin stamped. */
export function listTool(tool: Tool): ListedTool {
  const known = listings.get(tool)
  if (known !== undefined) return known
  const origin = originOf(tool)
  const listed = stampOrigin(
    Object.freeze({ definition: tool.definition, fingerprint: fingerprint(tool.definition), origin }),
    origin,
  )
  listings.set(tool, listed)
  return listed
}

function missing(name: string): { readonly kind: 'failed'; readonly message: string } {
  return { kind: 'failed', message: `The tool "${name}" is gone.` }
}

/** What a tool of this realm is told about a call. */
export function contextFor(tool: Tool, options: SourceCallOptions): RunContext {
  return {
    callId: options.callId ?? randomId('call'),
    toolName: tool.name,
    origin: originOf(tool),
    ...(options.runId === undefined ? {} : { runId: options.runId }),
    ...(options.step === undefined ? {} : { step: options.step }),
    signal: options.signal ?? new AbortController().signal,
    deps: options.deps,
    ...(options.approval === undefined ? {} : { approval: options.approval }),
    progress: (value) => options.onProgress?.(value),
    log: (message, data) => options.onLog?.(data === undefined ? { message } : { message, data }),
  }
}

function untilStopped(outcome: Promise<CallOutcome>, signal: AbortSignal | undefined): Promise<CallOutcome> {
  if (signal === undefined) return outcome
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const giveUp = () => {
      timer = setTimeout(() => resolve({ kind: 'stopped', mayHaveRun: true, stillRunning: true }), graceMs)
    }
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
    void outcome.then((settled) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
      resolve(settled)
    })
  })
}
