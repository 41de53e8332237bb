import { element } from '../shared/element.ts'
import { countText } from '../shared/time-text.ts'

/** When a call ran, and where. Times in milliseconds since the run began. */
export interface LaneBar {
  /** Counted from 1, in call order. */
  readonly call: number
  readonly lane: string
  readonly fromMs: number
  readonly toMs: number
}

/** One row for each lane, one bar for each call. */
export interface LaneChart {
  readonly element: HTMLElement
  /** Draws anew; the width stands for `scaleMs`. */
  draw(bars: readonly LaneBar[], scaleMs: number): void
}

/** Makes an empty chart. */
export function laneChart(empty: string): LaneChart {
  const rows = element('div', { class: 'lanes', role: 'img', 'aria-label': empty })
  const axis = element('div', { class: 'axis', 'aria-hidden': 'true' })
  const placeholder = element('p', { class: 'empty' }, empty)
  const chart = element('div', { class: 'chart' }, placeholder)
  const draw = (bars: readonly LaneBar[], scaleMs: number) => {
    if (placeholder.isConnected) chart.replaceChildren(rows, axis)
    const lanes = [...new Set(bars.map(({ lane }) => lane))].sort()
    rows.ariaLabel = summary(bars, lanes.length)
    rows.replaceChildren(...lanes.map((lane) => laneRow(lane, bars, scaleMs)))
    axis.replaceChildren(...ticks(scaleMs).map((at) => tick(at, scaleMs)))
  }
  return { element: chart, draw }
}

/** The largest number of calls that ran at the same time. */
export function mostAtOnce(bars: readonly LaneBar[]): number {
  const running = bars.map(
    ({ fromMs }) => bars.filter((other) => other.fromMs <= fromMs && fromMs < other.toMs).length,
  )
  return Math.max(0, ...running)
}

function summary(bars: readonly LaneBar[], lanes: number): string {
  const where = lanes === 1 ? 'in one lane' : `in ${lanes} lanes`
  return `${bars.length} calls ${where}, at most ${mostAtOnce(bars)} at the same time`
}

function laneRow(lane: string, bars: readonly LaneBar[], scaleMs: number): HTMLElement {
  const track = element('div', { class: 'lane-track' })
  for (const bar of bars.filter((each) => each.lane === lane)) {
    const view = element('span', { class: 'bar' }, String(bar.call))
    view.style.insetInlineStart = percent(bar.fromMs, scaleMs)
    view.style.inlineSize = percent(bar.toMs - bar.fromMs, scaleMs)
    track.append(view)
  }
  return element(
    'div',
    { class: 'lane', 'data-lane': lane },
    element('span', { class: 'lane-name' }, lane),
    track,
  )
}

function tick(at: number, scaleMs: number): HTMLElement {
  const view = element('span', { class: 'tick' }, at === 0 ? '0' : `${countText(at)} ms`)
  view.style.insetInlineStart = percent(at, scaleMs)
  return view
}

function ticks(scaleMs: number): number[] {
  const step = [100, 200, 250, 500, 1_000, 2_000, 5_000].find((each) => scaleMs / each <= 4) ?? 10_000
  // The words stand to the right of their line; at the very end there is no room for them.
  const count = Math.floor((scaleMs * 0.85) / step) + 1
  return Array.from({ length: count }, (_, index) => index * step)
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(2)}%`
}
