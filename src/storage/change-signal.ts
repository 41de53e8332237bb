import { throwLater } from '../tool/throw-later.ts'
/** Tells that something changed. */
export interface ChangeSignal {
  /** To be called after a change: all listeners run, here and elsewhere. */
  tell(): void
  /** Calls the listener after each change. Returns the way to stop that. */
  subscribe(listener: () => void): () => void
  /** Hears no more of other tabs, until the next use. */
  close(): void
}

/** A signal that reaches the listeners in this realm and, when it has a name, those of other tabs and workers. */
export function changeSignal(name?: string): ChangeSignal {
  const listeners = new Set<() => void>()
  let channel: BroadcastChannel | undefined
  const tellHere = () => {
    for (const listener of [...listeners]) callSafely(listener)
  }
  const open = () => {
    if (name === undefined || typeof BroadcastChannel === 'undefined') return undefined
    channel ??= new BroadcastChannel(`offstage:${name}`)
    channel.onmessage = tellHere
    // In Node an open channel would keep a process running.
    const { unref } = channel as { unref?(): void }
    unref?.call(channel)
    return channel
  }
  return {
    tell: () => {
      tellHere()
      open()?.postMessage('changed')
    },
    subscribe: (listener) => {
      // Wrapped: the same function may listen twice.
      const own = () => listener()
      listeners.add(own)
      open()
      return () => listeners.delete(own)
    },
    close: () => {
      channel?.close()
      channel = undefined
    },
  }
}

function callSafely(listener: () => void): void {
  try {
    listener()
  } catch (error) {
    // The change is made all the same; the error still reaches the app's error handling.
    throwLater(error)
  }
}
