import '../../support/valid-histories.ts'
import {
  Agent,
  type AgentOptions,
  type FunctionToolOptions,
  type RunResult,
  type RunState,
  type RunStore,
  runStore,
  type StoredRun,
  tool,
} from 'offstage'
import { ScriptedModel, type ScriptedTurn } from 'offstage/testing'
import * as v from 'valibot'
import { expect } from 'vitest'
import type { KeyValueStore } from '../../../src/storage/key-value.ts'
import { memoryStore } from '../../../src/storage/memory-store.ts'

/** What is left of a value that was stored as JSON text. */
export function overJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}

/** The state of a paused run, as it comes back out of storage. */
export function stateOf({ status, state }: RunResult): RunState {
  expect(status).toBe('paused')
  return overJson(state) as RunState
}

/** The ids of the calls that wait, in order. */
export function waiting({ pending }: Pick<RunResult, 'pending'>): string[] {
  return pending.map(({ callId }) => callId)
}

/** The outcomes of the calls of the last step that had some. */
export function outcomes({ steps }: RunResult): readonly string[] {
  const results = steps.findLast((step) => step.results.length > 0)?.results ?? []
  return results.map(({ outcome }) => outcome)
}

/** Tools that write down what they were started with. */
export class Ran {
  /** `name input`, in the order of the starts. */
  readonly log: string[] = []

  /** A tool with one number `n`, and any other option. */
  tool(name: string, options: NumberToolOptions = {}) {
    return numberTool(name, {
      execute: ({ n }) => {
        this.log.push(`${name} ${n}`)
        return `${name} ran with ${n}`
      },
      ...options,
    })
  }
}

const numberInput = v.object({ n: v.pipe(v.number(), v.maxValue(100)) })

/** The options of a tool with one number. */
export type NumberToolOptions = Partial<
  FunctionToolOptions<typeof numberInput, { n: number }, unknown, string>
>

function numberTool(name: string, options: NumberToolOptions & Pick<Required<NumberToolOptions>, 'execute'>) {
  return tool({ name, description: `The tool ${name}.`, inputSchema: numberInput, ...options })
}

/** Asks for one call of each name, with n = 1, 2, … */
export function callsOf(...names: readonly string[]): ScriptedTurn {
  return names.map((name, index) => ScriptedModel.toolCall(name, { n: index + 1 }))
}

/** An agent that asks for these calls and then says `done`. Its questions are left open unless it is told otherwise. */
export function agentFor(turn: ScriptedTurn, options: Omit<AgentOptions, 'model'>): Agent {
  return new Agent({ model: new ScriptedModel([turn, 'done']), confirm: 'pause', ...options })
}

/** An agent in another page that only goes on with a run: its model says `done`. */
export function agentAfter(options: Omit<AgentOptions, 'model'>): Agent {
  return new Agent({ model: new ScriptedModel(['done']), confirm: 'pause', ...options })
}

/** A store that can be copied as it is at any moment: what a page leaves that dies then. */
export class WatchedStore implements RunStore {
  readonly #values: KeyValueStore
  readonly #store: RunStore
  readonly '~keeper': RunStore['~keeper']
  /** All that was ever saved. */
  readonly saves: StoredRun[] = []

  constructor(values = memoryStore()) {
    this.#values = values
    this.#store = runStore(values)
    this['~keeper'] = this.#store['~keeper']
  }

  /** A store with this run in it, and no other. */
  static async holding(run: StoredRun): Promise<WatchedStore> {
    const values = memoryStore()
    await values.update(run.runId, () => run)
    return new WatchedStore(values)
  }

  async save(run: StoredRun, expectedRevision: number): Promise<void> {
    await this.#store.save(run, expectedRevision)
    this.saves.push(overJson(run))
  }

  load(runId: string): Promise<StoredRun | undefined> {
    return this.#store.load(runId)
  }

  list(): Promise<readonly StoredRun[]> {
    return this.#store.list()
  }

  delete(runId: string): Promise<void> {
    return this.#store.delete(runId)
  }

  /** Another store with what is in this one now. */
  async copy(): Promise<WatchedStore> {
    const values = memoryStore()
    for (const [key, value] of await this.#values.entries()) {
      await values.update(key, () => overJson(value))
    }
    return new WatchedStore(values)
  }
}

/**
 * Starts a run, lets its page die once `moment` resolves, and gives the store as it is left behind. What is left of
 * the run is ended after that, so that nobody holds its lock: nothing of that reaches the store.
 */
export async function dieAt(
  make: (store: WatchedStore) => Agent,
  moment: Promise<unknown>,
  start: (agent: Agent, signal: AbortSignal) => Promise<RunResult> = (agent, signal) =>
    agent.run('go', { signal }),
  before = new WatchedStore(),
): Promise<WatchedStore> {
  const page = new AbortController()
  const running = start(make(before), page.signal).catch(() => {})
  await moment
  const left = await before.copy()
  page.abort()
  await running
  return left
}

/** A promise and the function that settles it. */
export function signal(): { readonly reached: Promise<void>; readonly reach: () => void } {
  let reach = () => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  return { reached, reach }
}

/** The one run that can be resumed, with its state as it comes out of storage. */
export async function leftOver(agent: Agent) {
  const [left, ...others] = await agent.pendingRuns()
  expect(others).toEqual([])
  if (left === undefined) throw new Error('There is no run to go on with.')
  return { ...left, state: overJson(left.state) }
}
