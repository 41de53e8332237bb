import type { ToolResult } from 'offstage'

/** When a call ran, in milliseconds since the epoch. */
export interface Interval {
  readonly from: number
  readonly to: number
}

/** When the tool of a result ran. Fails for a call that never started. */
export function intervalOf(result: ToolResult | undefined): Interval {
  if (result?.startedAt === undefined || result.durationMs === undefined) {
    throw new Error(`the call did not run: ${JSON.stringify(result?.response)}`)
  }
  return { from: result.startedAt, to: result.startedAt + result.durationMs }
}

/** Whether there was a moment in which all of them ran. */
export function overlap(results: readonly (ToolResult | undefined)[]): boolean {
  const intervals = results.map(intervalOf)
  return Math.max(...intervals.map(({ from }) => from)) < Math.min(...intervals.map(({ to }) => to))
}
