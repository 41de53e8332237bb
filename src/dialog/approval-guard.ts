/** An approval counts only after the dialog was seen for this long without a break, in milliseconds. */
const guardMs = 300
/** How often it is checked whether the dialog can be seen, in milliseconds. */
const checkEveryMs = 50

/** Knows since when a dialog can be seen. */
export interface VisibleTime {
  /** Whether the dialog had been visible for long enough at that time, and still is. Time as `event.timeStamp`. */
  longEnoughAt(time: number): boolean
  /** Ends the watch. */
  stop(): void
}

/**
 * Watches whether a button of a modal dialog can be seen: the page is visible, a frame was drawn, and
 * nothing lies over the button (another modal dialog, for example). The time starts anew after each break,
 * and when the button has moved: a click may have been meant for what was there before.
 * `hidden` is called when the dialog is no longer rendered at all, for example by `display: none` around it.
 */
export function watchVisibleTime(button: HTMLElement, hidden: () => void): VisibleTime {
  let since: number | undefined
  let place = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  let frame = 0
  // In a frame callback, because a page that draws nothing shows nothing.
  const check = () => {
    if (button.getClientRects().length === 0) return hidden()
    const before = place
    place = placeOf(button)
    const stays = since !== undefined && place === before
    since = canBeSeen(button) ? (stays ? since : performance.now()) : undefined
    timer = setTimeout(next, checkEveryMs)
  }
  const next = () => {
    frame = requestAnimationFrame(check)
  }
  const pageVisibility = () => {
    if (document.visibilityState !== 'visible') since = undefined
  }
  document.addEventListener('visibilitychange', pageVisibility)
  next()
  return {
    longEnoughAt: (time) =>
      since !== undefined && time - since >= guardMs && place === placeOf(button) && canBeSeen(button),
    stop: () => {
      since = undefined
      clearTimeout(timer)
      cancelAnimationFrame(frame)
      document.removeEventListener('visibilitychange', pageVisibility)
    },
  }
}

// As it is laid out: an animation is no move.
function placeOf(button: HTMLElement): string {
  let [left, top] = [0, 0]
  for (let part: Element | null = button; part instanceof HTMLElement; part = part.offsetParent) {
    left += part.offsetLeft - part.scrollLeft
    top += part.offsetTop - part.scrollTop
  }
  return `${left} ${top}`
}

function canBeSeen(button: HTMLElement): boolean {
  const root = button.getRootNode()
  if (!button.isConnected || document.visibilityState !== 'visible' || !isDocumentOrShadow(root)) return false
  const { left, top, width, height } = button.getBoundingClientRect()
  const found = root.elementFromPoint(left + width / 2, top + height / 2)
  return found !== null && button.contains(found)
}

function isDocumentOrShadow(root: Node): root is Document | ShadowRoot {
  return 'elementFromPoint' in root
}

/** Whether a press at that time counts. Time as `event.timeStamp`. */
type CountsAt = (time: number) => boolean

/**
 * Calls `approve` when a person presses the button on purpose: by a trusted click whose press began after
 * the guard time (when `counts` says so), or by Space or Enter pressed and released on the button. A script's event, a key that was
 * already held and a press that began too early do nothing.
 */
export function guardButton(button: HTMLElement, counts: CountsAt, approve: () => void): void {
  guardPointer(button, counts, approve)
  guardKeys(button, counts, approve)
}

function guardPointer(button: HTMLElement, counts: CountsAt, approve: () => void): void {
  let pressedAt: number | undefined
  button.addEventListener('pointerdown', (event) => {
    if (event.isTrusted) pressedAt = event.timeStamp
  })
  button.addEventListener('click', (event) => {
    if (!event.isTrusted) return
    // Assistive technology clicks without a press.
    const time = Math.min(pressedAt ?? event.timeStamp, event.timeStamp)
    pressedAt = undefined
    if (counts(time)) approve()
  })
}

// The browser's own key handling is replaced: it clicks on the way down and on each repeat of a held Enter.
function guardKeys(button: HTMLElement, counts: CountsAt, approve: () => void): void {
  let pressed: string | undefined
  button.addEventListener('keydown', (event) => {
    if (!isPressKey(event)) return
    event.preventDefault()
    if (!event.isTrusted || event.repeat) return
    pressed = counts(event.timeStamp) ? event.key : undefined
  })
  button.addEventListener('keyup', (event) => {
    if (!isPressKey(event)) return
    event.preventDefault()
    const whole = event.isTrusted && pressed === event.key
    pressed = undefined
    if (whole && counts(event.timeStamp)) approve()
  })
  button.addEventListener('blur', () => {
    pressed = undefined
  })
}

function isPressKey({ key }: KeyboardEvent): boolean {
  return key === 'Enter' || key === ' '
}

/** Keeps a key that was held when the dialog opened from pressing anything in it: repeats do nothing there. */
export function ignoreHeldKeys(dialog: HTMLDialogElement): void {
  dialog.addEventListener('keydown', (event) => {
    const onButton = event.target instanceof HTMLButtonElement
    if (event.repeat && (event.key === 'Escape' || (onButton && isPressKey(event)))) event.preventDefault()
  })
}
