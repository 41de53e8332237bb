/** What a call must not run beside. */
export interface Place {
  /** Nothing else runs while it does. */
  readonly alone: boolean
  /** Calls with equal keys run one after the other. */
  readonly key?: string | undefined
}

/** Lets calls run in the order in which they came, each as soon as it may. */
export class Turns {
  #running: { readonly place: Place; readonly over: Promise<void> }[] = []

  /** Resolves when the call may run; what it gives must be called when it is over, or is given up. */
  take(place: Place): { readonly ready: Promise<unknown>; leave(): void } {
    const before = this.#running.filter((other) => excludes(place, other.place)).map(({ over }) => over)
    let leave = () => {}
    const over = new Promise<void>((resolve) => {
      leave = resolve
    })
    const entry = { place, over }
    this.#running.push(entry)
    return {
      ready: Promise.all(before),
      leave: () => {
        this.#running = this.#running.filter((other) => other !== entry)
        leave()
      },
    }
  }
}

function excludes(one: Place, other: Place): boolean {
  return one.alone || other.alone || (one.key !== undefined && one.key === other.key)
}
