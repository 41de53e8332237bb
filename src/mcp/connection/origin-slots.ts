import { onAbort, type Stop } from '../../tool/abort.ts'
import { withResolvers } from '../../tool/resolvers.ts'
import { reasonOf } from './reason-of.ts'

/**
 * What a connection is for: a request that is waited for; the stream on which a server speaks first; a short message
 * that somebody at the server waits for, such as the answer to a question of its own.
 */
export type SlotKind = 'request' | 'standing' | 'reply'

/** Browsers open six connections to one origin over HTTP/1.1, for all pages and workers of a site; one stays free. */
const maxConnections = 5

/** Standing streams never end: with more of them, requests would have too few connections left. */
const maxStanding = 2

const slotsOf = new Map<string, OriginSlots>()

/**
 * Waits until a connection to this origin may be opened; resolves to the way to give it back, which may be called
 * twice. Counted over all clients of this page or worker. A reply never waits: the requests that hold all
 * connections may be waiting for it.
 *
 * @param waits - Called when none is free.
 * @throws the reason of the signal that aborted the wait.
 */
export async function takeSlot(
  origin: string,
  kind: SlotKind,
  stop: Stop,
  waits?: () => void,
): Promise<() => void> {
  if (stop.aborted) throw reasonOf(stop)
  const slots = slotsOf.get(origin) ?? new OriginSlots(origin)
  await slots.take(kind, stop, waits)
  let taken = true
  return () => {
    if (taken) slots.giveBack(kind)
    taken = false
  }
}

class OriginSlots {
  readonly #origin: string
  readonly #taken: Record<SlotKind, number> = { request: 0, standing: 0, reply: 0 }
  readonly #waiting: Record<SlotKind, Set<() => void>> = {
    request: new Set(),
    standing: new Set(),
    reply: new Set(),
  }

  constructor(origin: string) {
    this.#origin = origin
    slotsOf.set(origin, this)
  }

  async take(kind: SlotKind, stop: Stop, waits: (() => void) | undefined): Promise<void> {
    if (kind === 'reply' || this.#hasFree(kind)) {
      this.#taken[kind] += 1
      return
    }
    const { promise, resolve, reject } = withResolvers<void>()
    const waiting = this.#waiting[kind]
    waiting.add(resolve)
    waits?.()
    const forget = onAbort(stop, () => {
      waiting.delete(resolve)
      this.#forgetIfIdle()
      reject(reasonOf(stop))
    })
    await promise.finally(forget)
  }

  giveBack(kind: SlotKind): void {
    this.#taken[kind] -= 1
    this.#handOn('request')
    this.#handOn('standing')
    this.#forgetIfIdle()
  }

  #handOn(kind: SlotKind): void {
    for (const resolve of this.#waiting[kind]) {
      if (!this.#hasFree(kind)) return
      this.#waiting[kind].delete(resolve)
      this.#taken[kind] += 1
      resolve()
    }
  }

  #hasFree(kind: SlotKind): boolean {
    const { request, standing, reply } = this.#taken
    return request + standing + reply < maxConnections && (kind !== 'standing' || standing < maxStanding)
  }

  #forgetIfIdle(): void {
    const { request, standing, reply } = this.#taken
    const { request: requests, standing: streams } = this.#waiting
    if (request + standing + reply + requests.size + streams.size === 0) slotsOf.delete(this.#origin)
  }
}
