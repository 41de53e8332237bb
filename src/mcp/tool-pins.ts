import { ApprovalRequired } from '../tool/errors.ts'
import { canonicalJson } from '../tool/json-value.ts'
import type { RunContext } from '../tool/run-context.ts'
import { definitionChange } from './definition-change.ts'
import type { ServerTool } from './definitions/server-tool.ts'
import type { ClientSettings } from './mcp-options.ts'
import { acceptDrift, checkPins, type PinState } from './pins/check-pins.ts'
import { indexedDBPinStore } from './pins/indexeddb-pin-store.ts'
import type { PinStore } from './pins/pin-store.ts'
import { type PinnedServer, pinnedServer } from './pins/server-pins.ts'

/** More calls do not wait for a person at the same time. */
const maxShown = 1_000

type Drift = Extract<PinState, { readonly state: 'drifted' }>

/** One for all clients that bring none: where nothing can be stored they still share what they know. */
let sharedStore: PinStore | undefined

/** How the tools of one server compare with what they were when they were first used. */
export class ToolPins {
  readonly #store: PinStore
  readonly #server: PinnedServer
  readonly #changed: () => void
  #states: ReadonlyMap<string, PinState> = new Map()
  /** The difference that a person was asked about last, by call: a yes is to that one and no other. */
  readonly #shown = new Map<string, string>()
  #note: string | undefined

  /** @param changed - Called after the state of a tool became another one. */
  constructor({ pinStore, namespace, url }: ClientSettings, changed: () => void) {
    sharedStore ??= pinStore === undefined ? indexedDBPinStore() : undefined
    this.#store = pinStore ?? (sharedStore as PinStore)
    this.#server = pinnedServer(namespace, url)
    this.#changed = changed
  }

  /** Why pins are not kept, for a person. */
  get note(): string | undefined {
    return this.#note
  }

  stateOf(originalName: string): PinState | undefined {
    return this.#states.get(originalName)
  }

  /** Compares all tools, and pins those that were never there. */
  async checkAll(tools: readonly ServerTool[]): Promise<void> {
    const { states, note } = await checkPins(this.#store, this.#server, tools)
    this.#states = states
    this.#note = note
  }

  /**
   * Looks at a tool before a call of it: another tab may have changed what is pinned.
   *
   * @throws ApprovalRequired with the difference, unless a person has said yes to this very one.
   */
  async check(tool: ServerTool, context: RunContext): Promise<void> {
    const drift = await this.#look(tool)
    if (drift !== undefined && !this.#isApproved(drift, context)) throw this.#askAbout(tool, drift, context)
  }

  /**
   * The same right before the call. A yes to the difference that was shown is kept: the tool is pinned as it is now.
   *
   * @throws ApprovalRequired when nobody has said yes to this very difference.
   */
  async use(tool: ServerTool, context: RunContext): Promise<void> {
    const drift = await this.#look(tool)
    if (drift !== undefined) {
      if (!this.#isApproved(drift, context)) throw this.#askAbout(tool, drift, context)
      await acceptDrift(this.#store, this.#server, tool)
      await this.#look(tool)
    }
    this.#shown.delete(context.callId)
  }

  #isApproved(drift: Drift, { callId, approval }: RunContext): boolean {
    return approval !== undefined && this.#shown.get(callId) === keyOf(drift)
  }

  #askAbout(tool: ServerTool, drift: Drift, { callId }: RunContext): ApprovalRequired {
    this.#shown.set(callId, keyOf(drift))
    // Those that were denied are never used: the oldest go.
    for (const oldest of this.#shown.keys()) {
      if (this.#shown.size <= maxShown) break
      this.#shown.delete(oldest)
    }
    return askAbout(tool, drift)
  }

  async #look(tool: ServerTool): Promise<Drift | undefined> {
    const { originalName } = tool
    const { states } = await checkPins(this.#store, this.#server, [tool])
    const state = states.get(originalName)
    const before = this.#states.get(originalName)
    if (state === undefined) return undefined
    this.#states = new Map(this.#states).set(originalName, state)
    if (before?.state !== state.state) this.#changed()
    return state.state === 'drifted' ? state : undefined
  }
}

function askAbout(tool: ServerTool, { before, after }: Drift): ApprovalRequired {
  return new ApprovalRequired(
    `The server has changed its tool "${tool.originalName}" since it was trusted. ` +
      'Look at what it was and what it is now; a yes trusts the new one.',
    { change: definitionChange(before, after) },
  )
}

function keyOf({ before, after }: Drift): string {
  return canonicalJson([before, after])
}
