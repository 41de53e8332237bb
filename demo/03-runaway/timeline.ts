import { element } from '../shared/element.ts'
import { countText, now } from '../shared/time-text.ts'

/** What stretches of time are called on the timeline. */
export type Phase = 'running' | 'stopping' | 'answering'

/** What happened when: a bar that grows while something goes on, and a list in words. */
export interface Timeline {
  readonly element: HTMLElement
  restart(): void
  /** A moment, and the stretch that begins with it; without one, the bar rests. Time as events have it. */
  mark(at: number, words: string, phase?: Phase): void
}

interface Stretch {
  readonly phase: Phase
  readonly fromMs: number
  toMs?: number
}

/** What the bar shows at least, in milliseconds. */
const leastScaleMs = 2_000

/** Draws until `leaving` aborts. */
export function timeline(leaving: AbortSignal): Timeline {
  const bar = element('div', { class: 'lane-track', 'aria-hidden': 'true' })
  const list = element('ol', { class: 'moments', 'aria-label': 'What happened when' })
  let startedAt = 0
  let stretches: Stretch[] = []
  const draw = () => {
    const nowMs = now() - startedAt
    const scaleMs = Math.max(leastScaleMs, ...stretches.map(({ toMs }) => toMs ?? nowMs))
    bar.replaceChildren(...stretches.map((stretch) => stretchView(stretch, nowMs, scaleMs)))
  }
  const redraw = () => {
    if (leaving.aborted) return
    requestAnimationFrame(redraw)
    if (stretches.some(({ toMs }) => toMs === undefined)) draw()
  }
  requestAnimationFrame(redraw)
  const restart = () => {
    startedAt = now()
    stretches = []
    list.replaceChildren()
    draw()
  }
  const mark = (at: number, words: string, phase?: Phase) => {
    const atMs = Math.max(0, at - startedAt)
    const last = stretches.at(-1)
    if (last !== undefined) last.toMs ??= atMs
    if (phase !== undefined) stretches.push({ phase, fromMs: atMs })
    const time = element('span', { class: 'event-time' }, `+${countText(Math.round(atMs))} ms`)
    list.append(element('li', { class: phase ?? 'rest' }, time, element('span', {}, words)))
    draw()
  }
  return { element: element('div', { class: 'timeline' }, bar, list), restart, mark }
}

function stretchView({ phase, fromMs, toMs }: Stretch, nowMs: number, scaleMs: number): HTMLElement {
  const view = element('span', { class: `bar ${phase}` })
  view.style.insetInlineStart = `${((100 * fromMs) / scaleMs).toFixed(2)}%`
  view.style.inlineSize = `${((100 * ((toMs ?? nowMs) - fromMs)) / scaleMs).toFixed(2)}%`
  return view
}
