import { ApprovalRequired } from '../tool/errors.ts'
import { canonicalJson, type JsonValue } from '../tool/json-value.ts'
import type { RunContext } from '../tool/run-context.ts'
import type { ToolChange } from '../tool/tool-change.ts'
import { definitionChange } from './definition-change.ts'
import type { ServerTool } from './definitions/server-tool.ts'
import type { ClientSettings } from './mcp-options.ts'
import { textsOf } from './mcp-texts.ts'
import { acceptDrift, acceptShown, checkPins, type PinState } from './pins/check-pins.ts'
import { indexedDBPinStore } from './pins/indexeddb-pin-store.ts'
import type { PinStore } from './pins/pin-store.ts'
import type { PinTexts } from './pins/pin-texts.ts'
import { type PinnedServer, pinnedServer } from './pins/server-pins.ts'

type Drift = Extract<PinState, { readonly state: 'drifted' }>

/** What pins need to know of whose tools they are of. */
export type PinSettings = Pick<ClientSettings, 'pinStore' | 'namespace' | 'url' | 'texts'>

/** One for all clients that bring none: where nothing can be stored they still share what they know. */
let sharedStore: PinStore | undefined

/** How the tools of one server, or of one page, compare with what they were when they were first used. */
export class ToolPins {
  readonly #store: PinStore
  readonly #server: PinnedServer
  readonly #texts: PinTexts
  readonly #changed: () => void
  /** By name and fingerprint: what is known of one definition says nothing of another one under its name. */
  #states: ReadonlyMap<string, PinState> = new Map()
  #note: string | undefined

  /** @param changed - Called after the state of a tool became another one. */
  constructor(settings: PinSettings, changed: () => void) {
    const { pinStore, namespace, url } = settings
    this.#texts = textsOf(settings)
    sharedStore ??= pinStore === undefined ? indexedDBPinStore(undefined, this.#texts) : undefined
    this.#store = pinStore ?? (sharedStore as PinStore)
    this.#server = pinnedServer(namespace, url)
    this.#changed = changed
  }

  /** Why pins are not kept, for a person. */
  get note(): string | undefined {
    return this.#note
  }

  /** Undefined for a definition that the server does not offer any more. */
  stateOf(tool: ServerTool): PinState | undefined {
    return this.#states.get(keyOf(tool))
  }

  /** Compares all tools, and pins those that were never there. */
  async checkAll(tools: readonly ServerTool[]): Promise<void> {
    const { states, note } = await checkPins(this.#store, this.#server, tools, Date.now(), this.#texts)
    this.#states = new Map(this.#known(tools, states))
    this.#note = note
  }

  /**
   * Keeps that a person has accepted these tools as they are: all, or none of them.
   *
   * @returns The server's names of those that are pinned as something else; then none was accepted.
   */
  async accept(tools: readonly ServerTool[]): Promise<readonly string[]> {
    const others = await acceptShown(this.#store, this.#server, tools)
    const { states } = await checkPins(this.#store, this.#server, tools)
    const isOffered = (tool: ServerTool) => this.#states.has(keyOf(tool))
    this.#states = new Map([...this.#states, ...this.#known(tools.filter(isOffered), states)])
    this.#changed()
    return others
  }

  /**
   * Looks at a tool before a call of it: another tab may have changed what is pinned. Resolves to whether it is another
   * one than the pinned.
   *
   * @throws ApprovalRequired with the difference, unless a person was shown this very one and has said yes.
   */
  async check(tool: ServerTool, { approval }: RunContext): Promise<boolean> {
    const drift = await this.#look(tool)
    if (drift === undefined) return false
    const change = definitionChange(drift.before, drift.after, this.#texts)
    // A yes to another question, or to one about the input alone, is none to this change.
    if (approval?.change !== undefined && isSame(approval.change, change)) return true
    throw new ApprovalRequired(this.#texts.toolChanged(tool.originalName), { change })
  }

  /**
   * The same right before the call. A yes to the difference that was shown is kept: the tool is pinned as it is now.
   *
   * @throws ApprovalRequired as {@link check} does.
   */
  async use(tool: ServerTool, context: RunContext): Promise<void> {
    if (!(await this.check(tool, context))) return
    await acceptDrift(this.#store, this.#server, tool)
    await this.#look(tool)
  }

  /** The states of tools, from what a check found by their names. */
  #known(
    tools: readonly ServerTool[],
    found: ReadonlyMap<string, PinState>,
  ): (readonly [string, PinState])[] {
    return tools.flatMap((tool) => {
      const state = found.get(tool.originalName)
      return state === undefined ? [] : [[keyOf(tool), this.#asKnown(keyOf(tool), state)] as const]
    })
  }

  /** Nobody compared it with anything so far: that it was pinned meanwhile makes it no older for this page. */
  #asKnown(key: string, state: PinState): PinState {
    const before = this.#states.get(key)
    const isStillNew = before?.state === 'new' && state.state === 'pinned' && state.trust === 'first-use'
    return isStillNew ? before : state
  }

  async #look(tool: ServerTool): Promise<Drift | undefined> {
    const { states } = await checkPins(this.#store, this.#server, [tool])
    const key = keyOf(tool)
    const before = this.#states.get(key)
    const [[, state] = []] = this.#known([tool], states)
    if (state === undefined) return undefined
    this.#states = new Map(this.#states).set(key, state)
    if (before?.state !== state.state) this.#changed()
    return state.state === 'drifted' ? state : undefined
  }
}

function keyOf({ originalName, fingerprint }: ServerTool): string {
  return JSON.stringify([originalName, fingerprint])
}

function isSame(one: ToolChange, other: ToolChange): boolean {
  // Made of JSON values only; the types say it in other words.
  const [shown, now] = [one, other].map((change) => canonicalJson(change as unknown as JsonValue))
  return shown === now
}
