import { untilAborted } from '../../tool/abort.ts'
import { errorToData } from '../../tool/error-data.ts'
import { type ListedTool, rootOf } from '../../toolset/listed-tool.ts'
import type { HostCalls } from '../host-calls.ts'
import { answerForPage } from './answer-for-page.ts'
import type { WebMCPContext, WebMCPToolInit } from './model-context.ts'
import { ownNames } from './own-tools.ts'

interface Registered {
  readonly listed: ListedTool
  readonly controller: AbortController
}

/** The tools of a source in a model context, kept as the source has them. */
export class ExposedTools {
  readonly #calls: HostCalls
  readonly #context: WebMCPContext
  readonly #options: { readonly exposedTo?: readonly string[] }
  readonly #registered = new Map<string, Registered>()
  #setAside: readonly { readonly name: string; readonly reason: string }[] = []
  #following: Promise<void> = Promise.resolve()
  /** What ends the registration that the context has not answered yet. */
  #pending: AbortController | undefined
  #closed = false

  constructor(calls: HostCalls, context: WebMCPContext, options: { readonly exposedTo?: readonly string[] }) {
    this.#calls = calls
    this.#context = context
    this.#options = options
  }

  get names(): readonly string[] {
    return [...this.#registered.keys()]
  }

  get setAside(): readonly { readonly name: string; readonly reason: string }[] {
    return this.#setAside
  }

  /** Registers what the source offers now, one time after the other. */
  follow(): Promise<void> {
    this.#following = this.#following.catch(() => {}).then(() => this.#update())
    return this.#following
  }

  settled(): Promise<void> {
    return this.#following
  }

  close(): void {
    this.#closed = true
    // The context may offer it already, whenever it answers.
    this.#pending?.abort(withdrawn())
    for (const name of this.names) this.#remove(name)
  }

  async #update(): Promise<void> {
    const listed = this.#closed ? [] : await this.#calls.list()
    if (this.#closed) return
    const offered = new Map(listed.map((tool) => [tool.definition.name, tool]))
    for (const [name, { listed: before }] of this.#registered) {
      if (!isSame(before, offered.get(name))) this.#remove(name)
    }
    const setAside: { name: string; reason: string }[] = []
    for (const [name, tool] of offered) {
      if (this.#closed) return
      const reason = this.#registered.has(name) ? undefined : await this.#add(name, tool)
      if (reason !== undefined) setAside.push({ name, reason })
    }
    this.#setAside = Object.freeze(setAside)
  }

  /** Registers a tool; gives the reason when the context does not take it. */
  async #add(name: string, listed: ListedTool): Promise<string | undefined> {
    const controller = new AbortController()
    const { signal } = controller
    const own = ownNames(this.#context)
    // Another exposure on this page may have the name: then it stays its own.
    const isNew = !own.has(name)
    own.add(name)
    this.#pending = controller
    try {
      const init = this.#toolFor(listed, signal)
      await untilAborted(
        Promise.resolve(this.#context.registerTool(init, { ...this.#options, signal })),
        signal,
      )
    } catch (error) {
      if (isNew) own.delete(name)
      return errorToData(error).message
    } finally {
      this.#pending = undefined
    }
    if (!signal.aborted) this.#registered.set(name, { listed, controller })
    else if (isNew) own.delete(name)
    return undefined
  }

  #remove(name: string): void {
    this.#registered.get(name)?.controller.abort(withdrawn(name))
    this.#registered.delete(name)
    ownNames(this.#context).delete(name)
  }

  #toolFor({ definition }: ListedTool, registered: AbortSignal): WebMCPToolInit {
    const { name, description, inputSchema, labels } = definition
    return {
      name,
      description,
      // A copy: what others do with it is nothing to the tool.
      inputSchema: structuredClone(inputSchema),
      annotations: {
        readOnlyHint: labels.effect === 'none',
        untrustedContentHint: labels.externalContent !== false,
      },
      execute: async (input, client) => {
        const signal =
          client?.signal === undefined ? registered : AbortSignal.any([registered, client.signal])
        return answerForPage(await this.#calls.call({ name, input }, { signal }))
      },
    }
  }
}

function isSame(one: ListedTool, other: ListedTool | undefined): boolean {
  if (other === undefined || rootOf(one) !== rootOf(other)) return false
  return (
    one.fingerprint === other.fingerprint &&
    JSON.stringify(one.definition) === JSON.stringify(other.definition)
  )
}

function withdrawn(name = 'This tool'): DOMException {
  return new DOMException(`${name} is not offered any more`, 'AbortError')
}
