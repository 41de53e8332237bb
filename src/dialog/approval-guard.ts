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
 * nothing lies over the button (another modal dialog, for example). The time starts anew after each break.
 * `hidden` is called when the dialog is no longer rendered at all, for example by `display: none` around it.
 */
export function watchVisibleTime(button: HTMLElement, hidden: () => void): VisibleTime {
  let since: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let frame = 0
  // In a frame callback, because a page that draws nothing shows nothing.
  const check = () => {
    if (button.getClientRects().length === 0) return hidden()
    since = canBeSeen(button) ? (since ?? performance.now()) : undefined
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
    longEnoughAt: (time) => since !== undefined && time - since >= guardMs && canBeSeen(button),
    stop: () => {
      since = undefined
      clearTimeout(timer)
      cancelAnimationFrame(frame)
      document.removeEventListener('visibilitychange', pageVisibility)
    },
  }
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

/**
 * Calls `approve` when a person presses the button on purpose: by a trusted click whose press began after
 * the guard time, or by Space or Enter pressed and released on the button. A script's event, a key that was
 * already held and a press that began too early do nothing.
 */
export function guardButton(button: HTMLElement, visible: VisibleTime, approve: () => void): void {
  guardPointer(button, visible, approve)
  guardKeys(button, visible, approve)
}

function guardPointer(button: HTMLElement, visible: VisibleTime, approve: () => void): void {
  let pressedAt: number | undefined
  button.addEventListener('pointerdown', (event) => {
    if (event.isTrusted) pressedAt = event.timeStamp
  })
  button.addEventListener('click', (event) => {
    if (!event.isTrusted) return
    // Assistive technology clicks without a press.
    const time = Math.min(pressedAt ?? event.timeStamp, event.timeStamp)
    pressedAt = undefined
    if (visible.longEnoughAt(time)) approve()
  })
}

// The browser's own key handling is replaced: it clicks on the way down and on each repeat of a held Enter.
function guardKeys(button: HTMLElement, visible: VisibleTime, approve: () => void): void {
  let pressed: string | undefined
  button.addEventListener('keydown', (event) => {
    if (!isPressKey(event)) return
    event.preventDefault()
    if (!event.isTrusted || event.repeat) return
    pressed = visible.longEnoughAt(event.timeStamp) ? event.key : undefined
  })
  button.addEventListener('keyup', (event) => {
    if (!isPressKey(event)) return
    event.preventDefault()
    const whole = event.isTrusted && pressed === event.key
    pressed = undefined
    if (whole && visible.longEnoughAt(event.timeStamp)) approve()
  })
  button.addEventListener('blur', () => {
    pressed = undefined
  })
}

function isPressKey({ key }: KeyboardEvent): boolean {
  return key === 'Enter' || key === ' '
}

/** Keeps a key that was held when the dialog opened from answering it: repeats press nothing. */
export function ignoreHeldKeys(dialog: HTMLDialogElement): void {
  dialog.addEventListener('keydown', (event) => {
    const onButton = event.target instanceof HTMLButtonElement
    if (event.repeat && (event.key === 'Escape' || (onButton && isPressKey(event)))) event.preventDefault()
  })
}
