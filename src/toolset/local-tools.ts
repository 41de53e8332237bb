import { onAbort } from '../tool/abort.ts'
import type { CallOutcome, Preflight } from '../tool/call-outcome.ts'
import { now } from '../tool/clock.ts'
import { fingerprint } from '../tool/fingerprint.ts'
import { preflightTool } from '../tool/preflight-tool.ts'
import { randomId } from '../tool/random-id.ts'
import type { RunContext } from '../tool/run-context.ts'
import { runTool } from '../tool/run-tool.ts'
import type { Tool } from '../tool/tool.ts'
import { originOf, stampOrigin } from '../tool/tool-origin.ts'
import type { ListedTool, SourceCallOptions, ToolSource } from './tool-source.ts'

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
 * @param names - Gives all tools now, in order.
 */
export function localTools(find: (name: string) => Tool | undefined, all: () => Iterable<Tool>): ToolSource {
  return {
    reportsStart: true,
    list: () => Promise.all(Array.from(all(), listTool)),
    preflight: async (name, input, options = {}) => {
      const tool = find(name)
      if (tool === undefined) return missing(name)
      return withinLimit(preflightTool(tool, input, contextFor(tool, options)))
    },
    call: async (name, input, options = {}) => {
      const tool = find(name)
      if (tool === undefined) return missing(name)
      if (options.signal?.aborted) return { kind: 'stopped', mayHaveRun: false }
      options.onStart?.({ at: now() })
      return untilStopped(runTool(tool, input, contextFor(tool, options)), options)
    },
  }
}

// Each tool is listed once: its definition is frozen, and hashing it is the dear part.
const listings = new WeakMap<Tool, Promise<ListedTool>>()

function listTool(tool: Tool): Promise<ListedTool> {
  const known = listings.get(tool)
  if (known !== undefined) return known
  const origin = originOf(tool)
  const listing = fingerprint(tool.definition).then((hash) =>
    stampOrigin(Object.freeze({ definition: tool.definition, fingerprint: hash, origin }), origin),
  )
  listings.set(tool, listing)
  return listing
}

function missing(name: string): { readonly kind: 'failed'; readonly message: string } {
  return { kind: 'failed', message: `The tool "${name}" is gone.` }
}

/** What a tool of this realm is told about a call. */
function contextFor(tool: Tool, options: SourceCallOptions): RunContext {
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

function untilStopped(outcome: Promise<CallOutcome>, options: SourceCallOptions): Promise<CallOutcome> {
  const { signal, graceMs = defaultGraceMs } = options
  if (signal === undefined) return outcome
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const giveUp = () => {
      timer = setTimeout(() => resolve({ kind: 'stopped', mayHaveRun: true, stillRunning: true }), graceMs)
    }
    if (signal.aborted) giveUp()
    const release = onAbort(signal, giveUp)
    void outcome.then((settled) => {
      clearTimeout(timer)
      release()
      resolve(settled)
    })
  })
}

async function withinLimit(preflight: Promise<Preflight>): Promise<Preflight> {
  let settled = false
  const done = () => {
    settled = true
  }
  preflight.then(done, done)
  // A check that waits for nothing is over within a few turns, and a timer would cost more than it.
  for (let turn = 0; turn < promptTurns && !settled; turn += 1) await undefined
  if (settled) return preflight
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Preflight>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'timeout' }), preflightLimitMs)
  })
  return Promise.race([preflight, late]).finally(() => clearTimeout(timer))
}
