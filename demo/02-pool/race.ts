import type { ToolResult, ToolSource } from 'offstage'
import { element, workButton } from '../shared/element.ts'
import type { FrameMeter } from '../shared/frame-meter.ts'
import { nextFrame } from '../shared/next-frame.ts'
import { timeText } from '../shared/time-text.ts'
import { type LaneBar, laneChart, mostAtOnce } from './lane-chart.ts'
import { startPrimeRun } from './prime-run.ts'

/** How often the charts grow while calls run, in milliseconds. */
const redrawMs = 50

/** What the runners share: one meter, and one scale for all charts, so that lengths can be compared. */
export interface Race {
  readonly meter: FrameMeter
  readonly leaving: AbortSignal
  /** What the width of a chart stands for, in milliseconds. */
  scaleMs: number
  running: boolean
  readonly redraws: (() => void)[]
  say(text: string): void
  finished(results: readonly ToolResult[]): void
}

/** A button that runs the calls in one place, and what is shown of the run. */
export interface Runner {
  readonly button: HTMLElement
  readonly element: HTMLElement
}

/** Makes a runner for the tools of a source. */
export function runner(label: string, source: ToolSource, race: Race): Runner {
  const chart = laneChart('Not run yet.')
  const readings = element('p', { class: 'readings' })
  let drawn: readonly LaneBar[] = []
  const draw = (bars: readonly LaneBar[]) => {
    drawn = bars
    race.scaleMs = Math.max(race.scaleMs, ...bars.map(({ toMs }) => toMs))
    if (bars.length > 0) chart.draw(bars, race.scaleMs)
  }
  race.redraws.push(() => draw(drawn))
  const run = async () => {
    if (race.running) return
    race.running = true
    race.say(`Eight calls run ${label.toLowerCase()} …`)
    try {
      const tookMs = await runOnce(source, race, draw)
      for (const redraw of race.redraws) redraw()
      const longestMs = race.meter.longestMs()
      readings.replaceChildren(...runReadings({ tookMs, longestMs, atOnce: mostAtOnce(drawn) }))
      race.say(`Done ${label.toLowerCase()}. Longest gap between two frames: ${timeText(longestMs)}.`)
    } catch (error) {
      race.say(error instanceof Error ? error.message : String(error))
    } finally {
      race.running = false
    }
  }
  const heading = element('h3', {}, label)
  return {
    button: workButton(label, run, { class: 'primary' }),
    element: element('div', { class: 'lane-run' }, heading, readings, chart.element),
  }
}

/** Gives the time until all results were there, in milliseconds. */
async function runOnce(
  source: ToolSource,
  race: Race,
  draw: (bars: readonly LaneBar[]) => void,
): Promise<number> {
  // Starts the workers, so that the run measures the calls alone.
  await source.list()
  await nextFrame()
  race.meter.restart()
  const startedAt = performance.now()
  const current = startPrimeRun(source, race.leaving)
  const redraw = setInterval(() => draw(current.bars()), redrawMs)
  const results = await current.results.finally(() => clearInterval(redraw))
  const tookMs = performance.now() - startedAt
  // The frame that ends the last gap.
  await nextFrame()
  draw(current.bars())
  race.finished(results)
  return tookMs
}

function runReadings(run: { tookMs: number; longestMs: number; atOnce: number }): HTMLElement[] {
  return [
    element('span', {}, 'All results after ', element('strong', {}, timeText(run.tookMs))),
    element('span', {}, 'Longest gap ', element('strong', { class: 'run-gap' }, timeText(run.longestMs))),
    element('span', {}, 'At the same time ', element('strong', { class: 'at-once' }, String(run.atOnce))),
  ]
}
