import { ToolExecutor, type ToolResult, type ToolSource } from 'offstage'
import { now } from '../shared/time-text.ts'
import type { LaneBar } from './lane-chart.ts'

/** Eight limits that take about a fifth of a second each. */
export const limits: readonly number[] = Array.from({ length: 8 }, (_, index) => 900_000 + index * 50_000)

/** One run of the eight calls, as it goes on and when it is over. */
export interface PrimeRun {
  /** When which call ran where. A call that runs still reaches up to now. */
  bars(): readonly LaneBar[]
  /** In call order. */
  readonly results: Promise<readonly ToolResult[]>
}

/** Asks for all eight calls in one step, as a model may. */
export function startPrimeRun(source: ToolSource, leaving: AbortSignal): PrimeRun {
  const startedAt = now()
  const ids: string[] = []
  const bars = new Map<string, Omit<LaneBar, 'toMs'> & { toMs?: number }>()
  const executor = new ToolExecutor({
    tools: source,
    onEvent: (event) => {
      if (event.type === 'call') ids.push(event.callId)
      const call = ids.indexOf(event.callId) + 1
      if (event.type === 'call-started') {
        const fromMs = event.at - startedAt
        bars.set(event.callId, { call, lane: event.lane ?? 'page', fromMs })
      }
      if (event.type === 'result') {
        const bar = bars.get(event.callId)
        if (bar !== undefined) bars.set(event.callId, { ...bar, ...computing(event.result, startedAt) })
      }
    },
  })
  const requests = limits.map((below) => ({ name: 'count_primes', input: { below } }))
  return {
    bars: () => Array.from(bars.values(), (bar) => ({ ...bar, toMs: bar.toMs ?? now() - startedAt })),
    results: executor.executeStep(requests, { signal: leaving }),
  }
}

// The tool's own clock. On the page the calls start together and then compute one after the other, and all
// results come at the end: without a second thread nothing else could run in between.
function computing(result: ToolResult, startedAt: number): Pick<LaneBar, 'fromMs' | 'toMs'> {
  const { from, to } = (result.response.data ?? {}) as { from?: number; to?: number }
  return { fromMs: (from ?? startedAt) - startedAt, toMs: (to ?? now()) - startedAt }
}
