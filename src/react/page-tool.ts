import type { ToolRegistry } from '../execution/tool-registry.ts'
import { canonicalJson, type JsonValue } from '../tool/json-value.ts'
import type { RunContext } from '../tool/run-context.ts'
import { type Tool, tool } from '../tool/tool.ts'
import type { ToolOptions } from '../tool/tool-options.ts'

/** What a component gives in one render. */
export interface RenderedTool {
  readonly options: ToolOptions<never, never>
  execute(input: never, context: RunContext<never>): unknown
}

type AnyFunction = (...parameters: readonly unknown[]) => unknown

/** A render that does not come (a component that waits for data) holds a call up for this long, in milliseconds. */
const maxRenderMs = 1_000

/** A tool whose options and body are those of the newest render. */
export class PageTool {
  readonly #requestRender: () => void
  #latest: RenderedTool
  #registered: { readonly tool: Tool; readonly from: ToolOptions<never, never>; remove(): void } | undefined
  #waiting: (() => void)[] = []

  constructor(first: RenderedTool, requestRender: () => void) {
    this.#latest = first
    this.#requestRender = requestRender
  }

  /** Takes what was rendered: from now on calls run it. */
  rendered(latest: RenderedTool): void {
    this.#latest = latest
    for (const goOn of this.#waiting.splice(0)) goOn()
  }

  /** Registers the tool, or again when what a model sees of it has changed. */
  register(registry: ToolRegistry): void {
    const { options } = this.#latest
    if (this.#registered !== undefined && sameOptions(this.#registered.from, options)) return
    const made = this.#make(options)
    if (this.#registered !== undefined) {
      const { tool: known, remove } = this.#registered
      if (seenByModel(known) === seenByModel(made)) {
        this.#registered = { tool: known, from: options, remove }
        return
      }
      remove()
    }
    this.#registered = { tool: made, from: options, remove: registry.register(made) }
  }

  remove(): void {
    this.#registered?.remove()
    this.#registered = undefined
    for (const goOn of this.#waiting.splice(0)) goOn()
  }

  #make(options: ToolOptions<never, never>): Tool {
    const entries = Object.entries(options).map(([key, value]) => [key, this.#newest(key, value)])
    // The types of input and deps are the component's business; here they only pass through.
    const live = Object.fromEntries(entries) as ToolOptions
    return tool({
      ...live,
      execute: (input, context) => this.#execute(input as never, context as never),
    }) as Tool
  }

  /** A function of the options, as the newest render has it. */
  #newest(key: string, value: unknown): unknown {
    if (typeof value !== 'function') return value
    return (...parameters: readonly unknown[]) => {
      const options = this.#latest.options as unknown as Readonly<Record<string, unknown>>
      const newest = typeof options[key] === 'function' ? options[key] : value
      return Reflect.apply(newest as AnyFunction, options, parameters)
    }
  }

  async #execute(input: never, context: RunContext<never>): Promise<unknown> {
    try {
      return await this.#latest.execute(input, context)
    } finally {
      await this.#nextRender()
    }
  }

  /** What a call has changed in the component, the next call of the same step must see. */
  #nextRender(): Promise<void> {
    if (this.#registered === undefined) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, maxRenderMs)
      this.#waiting.push(() => {
        clearTimeout(timer)
        resolve()
      })
      this.#requestRender()
    })
  }
}

/** Whether nothing differs but functions, of which the newest runs anyway. */
function sameOptions(one: object, other: object): boolean {
  const [before, after] = [one, other] as readonly [Record<string, unknown>, Record<string, unknown>]
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].every((key) => {
    const [old, now] = [before[key], after[key]]
    return (
      Object.is(old, now) || (typeof old === 'function' && typeof now === 'function' && !('~standard' in now))
    )
  })
}

function seenByModel({ definition }: Tool): string {
  return canonicalJson(definition as unknown as JsonValue)
}
