import { stopOf, stopped, untilAborted } from '../tool/abort.ts'
import type { CallOutcome, Preflight } from '../tool/call-outcome.ts'
import { now } from '../tool/clock.ts'
import { defined } from '../tool/defined.ts'
import type { StepContext } from '../tool/step-context.ts'
import { whenDone } from '../tool/when-done.ts'
import { closeMade, sourceForRun, sourceForStep } from '../toolset/source-instance.ts'
import type { SourceCallOptions, ToolSource } from '../toolset/tool-source.ts'
import { Turns } from './turns.ts'

/**
 * The same source for callers that know no steps. An agent runs the calls of one message in turn; here each call comes
 * by itself, and those that must not run at once wait for each other: of tools that are not parallel-safe, and with
 * equal concurrency keys. Nobody who is asked about a call holds up another one, and a deadline counts from the start.
 */
export function inTurn(source: ToolSource): ToolSource {
  return wrap(source, new Turns(), async () => source.close?.())
}

function wrap(source: ToolSource, turns: Turns, close: () => Promise<void>): ToolSource {
  const keys = new RecentKeys()
  const instance = (make: typeof sourceForRun) => async (context: StepContext) => {
    const made = await make(source, context)
    return made === source ? undefined : wrap(made, turns, () => closeMade(made, source))
  }
  return {
    ...defined({ label: source.label, conflictHint: source.conflictHint, dynamic: source.dynamic }),
    ...defined({ settlesSoon: source.settlesSoon }),
    reportsStart: true,
    list: () => source.list(),
    preflight: (name, input, options = {}) => {
      const { callId } = options
      // A check that is left to the call would tell of its key too late.
      const answer = source.preflight(name, input, { ...options, mayLeaveCheck: false })
      return whenDone<Preflight, Preflight>(answer, (known) => {
        if (known.kind === 'ready' && known.concurrencyKey !== undefined) {
          keys.keep(callId, JSON.stringify([name, known.concurrencyKey]))
        }
        return known
      })
    },
    call: async (name, input, options = {}) => {
      const key = keys.of(options.callId)
      const turn = turns.take({ alone: options.definition?.parallelSafe !== true, key })
      try {
        return await callInTurn(source, turn.ready, [name, input, options])
      } finally {
        turn.leave()
      }
    },
    notes: () => source.notes?.() ?? [],
    subscribe: (listener) => source.subscribe?.(listener) ?? (() => {}),
    forRun: instance(sourceForRun),
    forStep: instance(sourceForStep),
    close,
  }
}

async function callInTurn(
  source: ToolSource,
  ready: Promise<unknown>,
  [name, input, options]: readonly [string, unknown, SourceCallOptions],
): Promise<CallOutcome> {
  const stop = stopOf(options)
  const waited = stop === undefined ? await ready : await untilAborted(ready, stop)
  if (waited === stopped) return { kind: 'stopped', mayHaveRun: false }
  if (source.reportsStart !== true) options.onStart?.({ at: now() })
  return source.call(name, input, options)
}

/** The keys of calls that were looked at. Middleware may have one made again, so that none is over for certain. */
class RecentKeys {
  readonly #keys = new Map<string, string>()

  keep(callId: string | undefined, key: string): void {
    if (callId === undefined) return
    this.#keys.set(callId, key)
    const [oldest] = this.#keys.keys()
    if (this.#keys.size > maxKeys && oldest !== undefined) this.#keys.delete(oldest)
  }

  of(callId: string | undefined): string | undefined {
    return callId === undefined ? undefined : this.#keys.get(callId)
  }
}

/** More calls than these are not under way at once. */
const maxKeys = 1_000
