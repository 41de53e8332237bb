/**
 * The ids of calls on the wire, different over a whole conversation. The provider's own is kept where there is one
 * that was not used before; else the library's stands in.
 */
export class CallIds {
  /** Whether all ids are nine letters and digits, as Mistral demands. */
  readonly #areShort: boolean
  readonly #used = new Set<string>()
  readonly #byCall = new Map<string, string>()

  constructor(areShort: boolean) {
    this.#areShort = areShort
  }

  /** The id for a call; its result gets the same. */
  open(callId: string, providerId: string | undefined): string {
    let id = [providerId, callId].find((one) => one && this.#isFree(one))
    // The count makes it the same in every request, as the messages before it are.
    for (let count = this.#used.size; id === undefined; count += 1) {
      const made = `c${count.toString(36).padStart(8, '0')}`
      if (this.#isFree(made)) id = made
    }
    this.#used.add(id)
    this.#byCall.set(callId, id)
    return id
  }

  /** The id under which a call was sent. */
  of(callId: string): string {
    return this.#byCall.get(callId) ?? callId
  }

  #isFree(id: string): boolean {
    return !this.#used.has(id) && (!this.#areShort || /^[a-zA-Z\d]{9}$/.test(id))
  }
}
