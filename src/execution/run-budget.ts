import type { JsonObject } from '../tool/json-value.ts'
import type { CallEnding, Settlement, ToolResult } from '../tool/tool-result.ts'

/** How much a run has used of what it may use; plain JSON. */
export interface BudgetState {
  /** Calls that were ready to run, in the whole run. */
  readonly calls: number
  /** The same by tool. */
  readonly callsOf: readonly (readonly [name: string, calls: number])[]
  /** Steps in a row in which a tool failed. */
  readonly failures: readonly (readonly [name: string, steps: number])[]
  /** Tools that failed too often. */
  readonly closed: readonly string[]
}

/** Endings of calls that never got as far as being ready to run; they do not count as calls. */
const neverReady: readonly CallEnding[] = ['unknown', 'invalid', 'not-allowed', 'limit', 'cut-off']

/**
 * What a run may still use: its calls, the calls of one tool, and the tries of one tool. N retries are N + 1
 * tries; they are counted by tool, once for each step however many of its calls failed, and a success starts anew.
 */
export class RunBudget {
  /** Calls that may run in the whole run. */
  readonly maxCalls: number
  #calls: number
  readonly #callsOf: Map<string, number>
  readonly #failures: Map<string, number>
  readonly #closed: Set<string>

  constructor(maxCalls: number = Number.POSITIVE_INFINITY, state?: BudgetState) {
    this.maxCalls = maxCalls
    this.#calls = state?.calls ?? 0
    this.#callsOf = new Map(state?.callsOf)
    this.#failures = new Map(state?.failures)
    this.#closed = new Set(state?.closed)
  }

  /** Calls that may still run. */
  get callsLeft(): number {
    return this.maxCalls - this.#calls
  }

  /** How many calls of a tool have been ready to run. */
  callsOf(name: string): number {
    return this.#callsOf.get(name) ?? 0
  }

  /** Which try of a tool it is, counted from 1. */
  attempt(name: string): number {
    return (this.#failures.get(name) ?? 0) + 1
  }

  /** Whether no tool failed too often. */
  get isOpen(): boolean {
    return this.#closed.size === 0
  }

  /** Whether a tool failed too often. */
  isClosed(name: string): boolean {
    return this.#closed.has(name)
  }

  /**
   * Counts a step once all its calls are over.
   *
   * @param retriesOf - How many retries a tool has.
   * @returns The tools that were closed by it.
   */
  countStep(results: readonly ToolResult[], retriesOf: (name: string) => number): readonly string[] {
    let failed: Set<string> | undefined
    for (const result of results) {
      const { name } = result.call
      if (isFailedTry(result)) failed = (failed ?? new Set()).add(name)
      if (neverReady.includes(result.outcome)) continue
      this.#calls += 1
      this.#callsOf.set(name, this.callsOf(name) + 1)
    }
    if (this.#failures.size > 0) {
      for (const { call, outcome } of results) {
        const succeeded = outcome === 'success' || outcome === 'partial'
        if (succeeded && !failed?.has(call.name)) this.#failures.delete(call.name)
      }
    }
    if (failed === undefined) return []
    for (const name of failed) this.#failures.set(name, this.attempt(name))
    const closed = [...failed].filter((name) => this.attempt(name) > retriesOf(name) + 1)
    for (const name of closed) this.#closed.add(name)
    return closed
  }

  /** What must be kept to go on later. */
  toState(): BudgetState & JsonObject {
    return {
      calls: this.#calls,
      callsOf: [...this.#callsOf],
      failures: [...this.#failures],
      closed: [...this.#closed],
    }
  }
}

/** Whether an ending counts as a failed try: invalid input, `ModelRetry` or a deadline that passed. */
export function isFailedTry({ outcome, error }: Pick<Settlement, 'outcome' | 'error'>): boolean {
  return outcome === 'invalid' || outcome === 'timeout' || error?.code === 'model-retry'
}
