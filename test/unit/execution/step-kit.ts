import { tool } from 'offstage'
import * as v from 'valibot'

export function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Waits until its signal aborts, as a well-behaved tool does. */
export function untilStopped(_input: unknown, { signal }: { readonly signal: AbortSignal }): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

type Options = Partial<Omit<Parameters<typeof tool>[0], 'execute' | 'name' | 'inputSchema'>>

/** A parallel-safe tool without parameters. */
export function simple(name: string, execute: (...args: never[]) => unknown, options: Options = {}) {
  return tool({
    name,
    description: `The tool ${name}.`,
    parallelSafe: true,
    ...(options as object),
    execute: execute as () => unknown,
  })
}

const input = v.object({ id: v.string(), ms: v.optional(v.number(), 15) })

/** Tools that write `+id` when they start and `-id` when they end. */
export class Log {
  readonly lines: string[] = []

  tool(name: string, options: Options = {}) {
    return tool({
      name,
      description: `The tool ${name}.`,
      inputSchema: input,
      ...(options as object),
      execute: async ({ id, ms }: { id: string; ms: number }) => {
        this.lines.push(`+${id}`)
        await wait(ms)
        this.lines.push(`-${id}`)
        return id
      },
    })
  }
}

export function call(name: string, id = name, ms = 15) {
  return { name, input: { id, ms } }
}

export const bare = (name: string) => ({ name, input: {} })

export function outcomesOf(results: readonly { readonly outcome: string }[]): string[] {
  return results.map(({ outcome }) => outcome)
}

export function textsOf(results: readonly { readonly response: { readonly text: string } }[]): string[] {
  return results.map(({ response }) => response.text)
}
