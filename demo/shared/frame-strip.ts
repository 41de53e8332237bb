import { element } from './element.ts'
import { countText } from './time-text.ts'

/** A frame that was drawn, and the time since the one before it. In milliseconds. */
export interface Frame {
  readonly at: number
  readonly gap: number
}

/** The last seconds as a strip: a tick for each frame, a block for each time without one. */
export interface FrameStrip {
  readonly element: HTMLElement
  add(frame: Frame): void
}

/** How much time the strip shows, in milliseconds. */
const windowMs = 5_000
/** A gap from here on can be felt, and is drawn as a block. In milliseconds. */
const pauseMs = 80

interface Colors {
  readonly tick: string
  readonly pause: string
  readonly text: string
}

/** Makes a strip. The numbers beside it say the same to who cannot see it. */
export function frameStrip(): FrameStrip {
  const canvas = element('canvas', { class: 'strip', 'aria-hidden': 'true' })
  const pen = canvas.getContext('2d')
  let frames: Frame[] = []
  let colors: Colors | undefined
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    colors = undefined
  })
  const add = (frame: Frame) => {
    frames.push(frame)
    if (frames.length > 600) frames = frames.filter(({ at }) => at > frame.at - windowMs)
    if (pen === null || !canvas.isConnected) return
    colors ??= readColors(canvas)
    fitSize(canvas)
    draw(pen, frames, frame.at, colors)
  }
  return { element: canvas, add }
}

function readColors(canvas: HTMLElement): Colors {
  const style = getComputedStyle(canvas)
  return {
    tick: style.getPropertyValue('--strip-tick'),
    pause: style.getPropertyValue('--bad'),
    text: style.getPropertyValue('--surface'),
  }
}

function fitSize(canvas: HTMLCanvasElement): void {
  const width = Math.round(canvas.clientWidth * devicePixelRatio)
  const height = Math.round(canvas.clientHeight * devicePixelRatio)
  // Setting the size clears the canvas and is slow, so only when it changed.
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
}

function draw(pen: CanvasRenderingContext2D, frames: readonly Frame[], end: number, colors: Colors): void {
  const { width, height } = pen.canvas
  const perMs = width / windowMs
  const place = (at: number) => width - (end - at) * perMs
  pen.clearRect(0, 0, width, height)
  pen.font = `600 ${Math.round(height * 0.42)}px system-ui, sans-serif`
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  for (const { at, gap } of frames) {
    const right = place(at)
    if (right < 0) continue
    if (gap < pauseMs) {
      pen.fillStyle = colors.tick
      pen.fillRect(right - 1, height * 0.3, Math.max(1, perMs * 6), height * 0.4)
      continue
    }
    const left = Math.max(0, place(at - gap))
    pen.fillStyle = colors.pause
    pen.fillRect(left, 0, right - left, height)
    const text = `${countText(Math.round(gap))} ms`
    if (pen.measureText(text).width + 8 > right - left) continue
    pen.fillStyle = colors.text
    pen.fillText(text, (left + right) / 2, height / 2)
  }
}
