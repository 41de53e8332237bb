import { changeSignal } from '../storage/change-signal.ts'
import { indexedDBStore } from '../storage/indexeddb-store.ts'
import type { KeyValueStore } from '../storage/key-value.ts'
import { memoryStore } from '../storage/memory-store.ts'
import { checkOptions } from '../tool/check-options.ts'
import { defined } from '../tool/defined.ts'
import { errorToData } from '../tool/error-data.ts'
import { canonicalJson, deepFreeze, type JsonObject } from '../tool/json-value.ts'
import { randomId } from '../tool/random-id.ts'
import type { GrantDuration, GrantScope } from './decision.ts'
import { allowTheSame, type Grant, type GrantedTool, grantKey, isGrantedTo, readGrants } from './grant.ts'

/** What {@link Grants.add} takes. */
export interface NewGrant extends GrantedTool {
  readonly scope: GrantScope
  readonly duration: GrantDuration
  /** The input that the person said yes to: needed for the scope `input`, and kept only with that. */
  readonly input?: JsonObject | undefined
}

/** What {@link Grants.find} takes. */
export interface GrantQuery extends GrantedTool {
  readonly input: JsonObject
  /** Whether a grant for every input does not count, as in a run that untrusted content has entered. @default false */
  readonly exactOnly?: boolean
}

/** How {@link Grants} keeps what is granted. */
export interface GrantsOptions {
  /** Where grants of duration `always` are kept. @default indexedDBStore('offstage-grants') */
  readonly store?: KeyValueStore
}

/**
 * What the person allowed without being asked again: for this session, kept in this object, or always, kept in a
 * store that all tabs share. Bound to origin, name and fingerprint of a tool. Whatever cannot be read allows nothing.
 *
 * @example
 * const grants = new Grants()
 * const agent = new Agent({ model, tools, confirm: confirmDialog(), grants })
 * document.querySelector('#settings')?.append(grantsElement({ grants }))
 */
export class Grants {
  readonly #session = memoryStore()
  readonly #lasting: KeyValueStore
  readonly #changes = changeSignal()
  #warning: string | undefined

  /** @throws ToolRegistrationError for an option that does not exist. Touches no storage. */
  constructor(options: GrantsOptions = {}) {
    checkOptions(options, ['store'], 'new Grants()')
    this.#lasting = options.store ?? indexedDBStore('offstage-grants')
  }

  /** Why `always` is not kept here, once that was tried; gone after the next grant that is kept. */
  get warning(): string | undefined {
    return this.#warning
  }

  /**
   * Remembers a yes, in place of an earlier one for the same. Where `always` cannot be kept, the grant given back has
   * the duration `session`, and {@link warning} says why.
   *
   * @throws Error for the scope `input` without an input.
   */
  async add(given: NewGrant): Promise<Grant> {
    const grant = newGrant(given)
    if (given.duration === 'session') return this.#put(this.#session, grant, given)
    try {
      await this.#put(this.#lasting, grant, given)
      this.#warning = undefined
      return grant
    } catch (error) {
      this.#warn(error)
      return this.#put(this.#session, Object.freeze({ ...grant, duration: 'session' }), given)
    }
  }

  /**
   * The grant that allows a call, if there is one: first one for this very input, whatever the order of its keys, then
   * one for every input. Grants that were given to an earlier tool of this name are deleted. Never rejects: without an
   * answer from the storage nothing is granted.
   */
  async find(call: GrantQuery): Promise<Grant | undefined> {
    const found = [
      ...(await this.#current(this.#session, call)),
      ...(await this.#readLasting(() => this.#current(this.#lasting, call))),
    ]
    const wanted = canonicalJson(call.input)
    const exact = found.find(({ input }) => input !== undefined && canonicalJson(input) === wanted)
    if (exact !== undefined || call.exactOnly) return exact
    return found.find(({ scope }) => scope === 'tool')
  }

  /** All grants of both durations, newest first. Where the storage cannot be read, those of this session. */
  async list(): Promise<readonly Grant[]> {
    const session = await allGrants(this.#session)
    const lasting = await this.#readLasting(() => allGrants(this.#lasting))
    return [...session, ...lasting].sort((one, other) => other.grantedAt - one.grantedAt)
  }

  /** Takes a grant back; one that is not there is no error. Rejects when the storage fails: it may still hold then. */
  async revoke(id: string): Promise<void> {
    if (await this.#remove(this.#session, id)) return
    await this.#change(() => this.#remove(this.#lasting, id))
  }

  /** Takes all grants back. Rejects when the storage fails: those that were to be kept may still hold then. */
  async revokeAll(): Promise<void> {
    await clear(this.#session)
    this.#told(this.#session)
    await this.#change(async () => {
      await clear(this.#lasting)
      this.#told(this.#lasting)
    })
  }

  /** Calls the listener after grants were given or revoked, here or in another tab. Returns the way to stop that. */
  subscribe(listener: () => void): () => void {
    const stops = [
      this.#changes.subscribe(listener),
      this.#session.subscribe?.(listener),
      this.#lasting.subscribe?.(listener),
    ]
    return () => {
      for (const stop of stops) stop?.()
    }
  }

  async #put(store: KeyValueStore, grant: Grant, tool: GrantedTool): Promise<Grant> {
    const key = grantKey(tool)
    await store.update(key, (old) => [
      ...readGrants(old, key).filter((other) => isGrantedTo(other, tool) && !allowTheSame(other, grant)),
      grant,
    ])
    this.#told(store)
    return grant
  }

  async #current(store: KeyValueStore, tool: GrantedTool): Promise<readonly Grant[]> {
    const key = grantKey(tool)
    const all = readGrants(await store.get(key), key)
    const current = all.filter((grant) => isGrantedTo(grant, tool))
    if (current.length < all.length) {
      await keep(store, key, (grant) => isGrantedTo(grant, tool))
      this.#told(store)
    }
    return current
  }

  async #remove(store: KeyValueStore, id: string): Promise<boolean> {
    for (const [key, value] of await store.entries()) {
      if (!readGrants(value, key).some((grant) => grant.id === id)) continue
      await keep(store, key, (grant) => grant.id !== id)
      this.#told(store)
      return true
    }
    return false
  }

  async #readLasting(read: () => Promise<readonly Grant[]>): Promise<readonly Grant[]> {
    try {
      return await read()
    } catch (error) {
      this.#warn(error)
      return []
    }
  }

  async #change(change: () => Promise<unknown>): Promise<void> {
    try {
      await change()
    } catch (error) {
      // Where nothing could ever be kept, nothing is left to be revoked.
      const { code } = errorToData(error)
      if (code !== 'insecure-context' && code !== 'unsupported') throw error
      this.#warn(error)
    }
  }

  // A store that tells of changes has told the listeners already.
  #told(store: KeyValueStore): void {
    if (store.subscribe === undefined) this.#changes.tell()
  }

  #warn(error: unknown): void {
    this.#warning = `What is allowed "always" holds only until this page is closed. ${errorToData(error).message}`
  }
}

function newGrant(given: NewGrant): Grant {
  const { origin, toolName, fingerprint, scope, input, duration, replacedAt = 0 } = given
  if (scope === 'input' && input === undefined) {
    throw new Error(`Grants.add(), tool "${toolName}": the scope "input" needs the input that was allowed.`)
  }
  return deepFreeze(
    defined({
      id: randomId('grant'),
      ...{ origin, toolName, fingerprint, scope, duration },
      input: scope === 'input' ? structuredClone(input) : undefined,
      // The clock of all tabs, which may tell the same time twice; what was granted to a tool came after it.
      grantedAt: Math.max(Date.now(), replacedAt + 1),
    }),
  )
}

async function keep(store: KeyValueStore, key: string, wanted: (grant: Grant) => boolean): Promise<void> {
  await store.update(key, (old) => {
    const left = readGrants(old, key).filter(wanted)
    return left.length === 0 ? undefined : left
  })
}

async function allGrants(store: KeyValueStore): Promise<readonly Grant[]> {
  const entries = await store.entries()
  return entries.flatMap(([key, value]) => readGrants(value, key))
}

async function clear(store: KeyValueStore): Promise<void> {
  for (const [key] of await store.entries()) await store.delete(key)
}
