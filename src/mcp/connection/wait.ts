import { onAbort, type Stop } from '../../tool/abort.ts'

/** After so many milliseconds, or sooner: when the signal aborts, or when the device is online again. */
export function wait(ms: number, stop: Stop): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer)
      // Node has no such events, and a worker of an old browser neither.
      globalThis.removeEventListener?.('online', over)
      forget()
      resolve()
    }
    const timer = setTimeout(over, ms)
    globalThis.addEventListener?.('online', over)
    let forget = () => {}
    forget = onAbort(stop, over)
  })
}

/** How long to wait before the next try: longer after each failure. In milliseconds. */
export function backoffMs(failures: number, firstMs: number, maxMs: number): number {
  return Math.min(firstMs * 1.5 ** failures, maxMs)
}
