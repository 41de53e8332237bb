import { throwLater } from '../tool/throw-later.ts'
import type { ExecutionEvent } from './execution-event.ts'

/** Tells an event. A listener of the app that throws must not end a call; its error still reaches the app's error handling. */
export function tellListener(
  listener: ((event: ExecutionEvent) => void) | undefined,
  event: ExecutionEvent,
): void {
  try {
    listener?.(event)
  } catch (error) {
    throwLater(error)
  }
}
