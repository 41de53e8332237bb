/** What the page did with workers while it was watched. */
export interface WatchedWorkers {
  /** How many were made. */
  readonly made: number
  /** How many were made and not ended yet. */
  readonly live: number
  /** How many of them were ended. */
  readonly ended: number
  /** Everything that the page sent to any of them. */
  readonly sent: readonly { readonly message: unknown; readonly transfer: unknown }[]
  /** Gives the page its own `Worker` back. */
  restore(): void
}

/** Counts workers, and keeps what the page sends to them, until `restore()`. */
export function watchWorkers(): WatchedWorkers {
  const original = globalThis.Worker
  const live = new Set<Worker>()
  const sent: { message: unknown; transfer: unknown }[] = []
  let made = 0

  globalThis.Worker = class extends original {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options)
      made += 1
      live.add(this)
    }

    override postMessage(message: unknown, transfer?: StructuredSerializeOptions | Transferable[]): void {
      sent.push({ message, transfer })
      super.postMessage(message, transfer as Transferable[])
    }

    override terminate(): void {
      live.delete(this)
      super.terminate()
    }
  }
  return {
    get made() {
      return made
    },
    get live() {
      return live.size
    },
    get ended() {
      return made - live.size
    },
    sent,
    restore: () => {
      globalThis.Worker = original
    },
  }
}
