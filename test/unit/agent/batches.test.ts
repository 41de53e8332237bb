import fc from 'fast-check'
import {
  Agent,
  type CallAnswers,
  CallDeferred,
  type ModelRequest,
  type RunResult,
  type RunStore,
  type StoredRun,
  tool,
} from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { overJson, stateOf, WatchedStore } from './run-kit.ts'

/** One call of a batch, and what is said to it when its turn comes. */
interface PlannedCall {
  readonly isGated: boolean
  readonly isExternal: boolean
  readonly isParallel: boolean
  readonly key: string | undefined
  readonly yes: boolean
}

const plannedCall: fc.Arbitrary<PlannedCall> = fc.record({
  isGated: fc.boolean(),
  isExternal: fc.boolean(),
  isParallel: fc.boolean(),
  key: fc.constantFrom(undefined, 'x', 'y'),
  yes: fc.boolean(),
})

const input = v.object({ n: v.number() })

/** Tools whose calls do as they are planned, and a log of what ran, for one batch. */
class Batch {
  /** The calls that had their effect, in the order of that. */
  readonly ran: number[] = []
  readonly started: number[] = []
  /** Calls with a yes. */
  readonly approved = new Set<number>()
  readonly plan: readonly PlannedCall[]

  constructor(plan: readonly PlannedCall[]) {
    this.plan = plan
  }

  tools() {
    const shared = {
      description: 'A tool.',
      inputSchema: input,
      needsApproval: ({ n }: { n: number }) => this.#of(n).isGated,
      execute: ({ n }: { n: number }, { approval }: { approval?: unknown }) => this.#run(n, approval),
    }
    return [
      tool({ name: 'alone', ...shared }),
      tool({ name: 'free', ...shared, parallelSafe: true }),
      tool({
        name: 'keyed',
        ...shared,
        parallelSafe: true,
        concurrencyKey: ({ n }) => String(this.#of(n).key),
      }),
    ]
  }

  calls() {
    return this.plan.map(({ isParallel, key }, n) => {
      const name = isParallel ? (key === undefined ? 'free' : 'keyed') : 'alone'
      return ScriptedModel.toolCall(name, { n })
    })
  }

  #of(n: number): PlannedCall {
    return this.plan[n] as PlannedCall
  }

  async #run(n: number, approval: unknown): Promise<string> {
    const { isGated, isExternal } = this.#of(n)
    if (isGated) expect(approval).toEqual({ approved: true })
    if (isGated) expect(this.approved).toContain(n)
    this.started.push(n)
    await new Promise((resolve) => setTimeout(resolve, n % 3))
    this.ran.push(n)
    if (isExternal) throw new CallDeferred({ n })
    return `ran ${n}`
  }
}

/** Answers some of what waits, as `picks` says; all of it when that would be nothing. */
function answersTo(batch: Batch, { pending }: RunResult, picks: readonly boolean[]): CallAnswers {
  const picked = pending.filter((_call, index) => picks[index % picks.length])
  const chosen = picked.length > 0 ? picked : pending
  return Object.fromEntries(
    chosen.map(({ callId, kind, input: { n } }) => {
      if (kind === 'external') return [callId, { output: `answered ${n}` }]
      const { yes } = batch.plan[Number(n)] as PlannedCall
      if (yes) batch.approved.add(Number(n))
      return [callId, yes]
    }),
  )
}

/** What each call must have ended with. */
function expectedResults({ plan }: Batch): readonly (readonly [string, string])[] {
  return plan.map(({ isGated, isExternal, yes }, n) => {
    if (isGated && !yes) return ['denied', 'said no']
    return ['success', isExternal ? `answered ${n}` : `ran ${n}`]
  })
}

/** Calls that may not run beside each other ran in call order. */
function expectOrder({ plan, ran }: Batch): void {
  for (const [position, n] of ran.entries()) {
    for (const later of ran.slice(position + 1)) {
      if (later > n) continue
      const [one, other] = [plan[later], plan[n]] as [PlannedCall, PlannedCall]
      expect(one.isParallel && other.isParallel).toBe(true)
      expect(one.key === undefined || one.key !== other.key).toBe(true)
    }
  }
}

const batches = fc.array(plannedCall, { minLength: 1, maxLength: 7 })
const rounds = fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 5,
})

/** An agent in a page of its own; how often its model was asked. */
function pageOf(batch: Batch, store: RunStore | undefined) {
  const turn = ({ messages }: ModelRequest) =>
    messages.some(({ role }) => role === 'tool') ? 'done' : batch.calls()
  const model = new ScriptedModel([turn, turn])
  const options = { model, tools: batch.tools(), confirm: 'pause' as const }
  return { model, agent: new Agent(store === undefined ? options : { ...options, store }) }
}

/** Answers a run, each time in another page, until it is over. */
async function answerAll(
  batch: Batch,
  store: RunStore | undefined,
  first: RunResult,
  picks: readonly (readonly boolean[])[],
): Promise<RunResult> {
  let result = first
  for (let round = 0; result.status === 'paused'; round += 1) {
    // Each round settles at least one call or one question of it.
    expect(round).toBeLessThan(2 * batch.plan.length + 1)
    const { model, agent } = pageOf(batch, store)
    const answers = answersTo(batch, result, picks[round % picks.length] ?? [true])
    result = await agent.resume(stateOf(result), answers)
    expect(model.requests).toHaveLength(result.status === 'paused' ? 0 : 1)
  }
  expect(result).toMatchObject({ status: 'done', pending: [], finalOutput: 'done' })
  return result
}

function resultsIn({ messages }: RunResult) {
  return messages.flatMap((message) => (message.role === 'tool' ? message.results : []))
}

it.each([
  ['without a store', () => undefined],
  ['with a store', () => new WatchedStore()],
])(
  'F10 F13 S2 S20 any batch, answered in any rounds, ends with each call run at most once and no call without its yes: %s',
  async (_how, store) => {
    await fc.assert(
      fc.asyncProperty(batches, rounds, async (plan, picks) => {
        const batch = new Batch(plan)
        const kept = store()
        const result = await answerAll(batch, kept, await pageOf(batch, kept).agent.run('go'), picks)
        expect(new Set(batch.ran).size).toBe(batch.ran.length)
        expectOrder(batch)
        const told = resultsIn(result)
        const expected = expectedResults(batch)
        expect(told.map(({ outcome }) => outcome)).toEqual(expected.map(([outcome]) => outcome))
        for (const [index, [, text]] of expected.entries()) expect(told[index]?.text).toContain(text)
      }),
    )
  },
)

it('F03 F13 any batch whose page dies at any moment ends with each call run at most once and no call without its yes', async () => {
  await fc.assert(
    fc.asyncProperty(batches, rounds, fc.nat(), async (plan, picks, moment) => {
      const batch = new Batch(plan)
      const pages: {
        readonly run: StoredRun
        readonly started: readonly number[]
        readonly approved: Set<number>
      }[] = []
      const store = new WatchedStore()
      const save = store.save.bind(store)
      store.save = async (run, revision) => {
        await save(run, revision)
        const { started, approved } = batch
        pages.push({ run: overJson(run), started: [...started], approved: new Set(approved) })
      }
      await answerAll(batch, store, await pageOf(batch, store).agent.run('go'), picks)
      // The last one is of the run that is over.
      const dead = pages[moment % (pages.length - 1)]
      if (dead === undefined) throw new Error('The run was not saved.')
      const next = new Batch(plan)
      for (const n of dead.approved) next.approved.add(n)
      const left = await WatchedStore.holding(dead.run)
      const [found] = await pageOf(next, left).agent.pendingRuns()
      if (found === undefined) throw new Error('The run is not found.')
      const resumed = await pageOf(next, left).agent.resume(overJson(found.state))
      const result = await answerAll(next, left, resumed, picks)
      const started = [...dead.started, ...next.started]
      expect(new Set(started).size).toBe(started.length)
      const expected = expectedResults(next)
      for (const [index, { outcome }] of resultsIn(result).entries()) {
        expect([expected[index]?.[0], 'interrupted']).toContain(outcome)
      }
      expect(resultsIn(result)).toHaveLength(plan.length)
    }),
  )
})
