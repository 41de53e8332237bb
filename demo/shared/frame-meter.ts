import { element } from './element.ts'
import { type Frame, frameStrip } from './frame-strip.ts'
import { timeText } from './time-text.ts'

/** Shows whether the page keeps drawing: a moving dot, the last seconds as a strip, and the longest gap. */
export interface FrameMeter {
  readonly element: HTMLElement
  /** Forgets the longest gap. */
  restart(): void
  /** The longest time between two frames since the last restart, in milliseconds. */
  longestMs(): number
}

/** One sweep of the dot, in milliseconds. */
const sweepMs = 2_000
/** How often the numbers change, in milliseconds: faster than this nobody reads. */
const readingMs = 250

/** Measures from now on, until `leaving` aborts. */
export function frameMeter(leaving: AbortSignal): FrameMeter {
  const view = meterView()
  const strip = frameStrip()
  view.element.append(strip.element)
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  let longest = 0
  let before: number | undefined
  let readAt = 0
  let frames = 0
  const tick = (at: number) => {
    if (leaving.aborted) return
    requestAnimationFrame(tick)
    const gap = before === undefined ? 0 : at - before
    before = at
    frames += 1
    longest = Math.max(longest, gap)
    const frame: Frame = { at, gap }
    strip.add(frame)
    if (!still) view.moveDot((at % sweepMs) / sweepMs)
    if (at - readAt < readingMs) return
    view.read((frames * 1_000) / (at - readAt), longest)
    readAt = at
    frames = 0
  }
  // A hidden page draws nothing; that is no gap.
  const forget = () => {
    before = undefined
  }
  document.addEventListener('visibilitychange', forget, { signal: leaving })
  requestAnimationFrame(tick)
  const restart = () => {
    longest = 0
  }
  return { element: view.element, restart, longestMs: () => longest }
}

interface MeterView {
  readonly element: HTMLElement
  /** To a place on its way there and back, from 0 to 1. */
  moveDot(place: number): void
  read(framesPerSecond: number, longestMs: number): void
}

function meterView(): MeterView {
  const dot = element('span', { class: 'dot' })
  const rate = element('strong', { class: 'frame-rate' }, '–')
  const gap = element('strong', { class: 'longest-gap' }, '–')
  const view = element(
    'div',
    { class: 'meter' },
    element('div', { class: 'track', 'aria-hidden': 'true' }, dot),
    element(
      'p',
      { class: 'readings' },
      element('span', {}, 'Frames per second ', rate),
      element('span', {}, 'Longest gap ', gap),
      element('span', {}, 'Below: the last 5 seconds'),
    ),
  )
  return {
    element: view,
    moveDot: (place) => {
      const there = place < 0.5 ? place * 2 : 2 - place * 2
      // A curve that slows at both ends, so that a stutter in the middle is easy to see.
      const eased = (1 - Math.cos(there * Math.PI)) / 2
      dot.style.insetInlineStart = `${(eased * 100).toFixed(2)}%`
    },
    read: (framesPerSecond, longestMs) => {
      rate.textContent = framesPerSecond.toFixed(0)
      gap.textContent = timeText(Math.round(longestMs))
      gap.classList.toggle('long', longestMs > 100)
    },
  }
}
