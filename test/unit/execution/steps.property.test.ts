import * as fc from 'fast-check'
import { ModelRetry, ToolExecutor, type ToolResult, tool } from 'offstage'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { runs } from '../../support/runs.ts'
import { wait } from './step-kit.ts'

const oneTurn = () => new Promise((resolve) => setImmediate(resolve))

interface Spec {
  readonly kind: 'together' | 'alone' | 'keyed'
  /** Of the keyed tool. */
  readonly key: string
  readonly turns: number
  readonly ends: 'well' | 'throws' | 'retries' | 'denied' | 'invalid' | 'unknown'
}

const spec: fc.Arbitrary<Spec> = fc.record({
  kind: fc.constantFrom('together', 'alone', 'keyed'),
  key: fc.constantFrom('k', 'l'),
  turns: fc.nat(3),
  ends: fc.constantFrom('well', 'well', 'well', 'throws', 'retries', 'denied', 'invalid', 'unknown'),
})

/** When a call ran, in the order of all starts and ends. */
interface Span {
  readonly id: number
  readonly from: number
  to?: number
}

class Stage {
  readonly spans: Span[] = []
  readonly #specs: readonly Spec[]
  #clock = 0

  constructor(specs: readonly Spec[]) {
    this.#specs = specs
  }

  tools() {
    const body = {
      description: 'Runs for some turns.',
      inputSchema: v.object({ id: v.number() }),
      needsApproval: ({ id }: { id: number }) => this.#of(id).ends === 'denied',
      execute: ({ id }: { id: number }) => this.#run(id),
    }
    return [
      tool({ ...body, name: 'together', parallelSafe: true }),
      tool({ ...body, name: 'alone' }),
      tool({ ...body, name: 'keyed', parallelSafe: true, concurrencyKey: ({ id }) => this.#of(id).key }),
    ]
  }

  requests() {
    return this.#specs.map(({ kind, ends }, id) => ({
      name: ends === 'unknown' ? 'nobody' : kind,
      input: { id: ends === 'invalid' ? 'x' : id },
    }))
  }

  now(): number {
    return this.#clock
  }

  async #run(id: number): Promise<string> {
    const span: Span = { id, from: this.#tick() }
    this.spans.push(span)
    const { turns, ends } = this.#of(id)
    for (let turn = 0; turn < turns; turn += 1) await oneTurn()
    span.to = this.#tick()
    if (ends === 'throws') throw new Error('broken')
    if (ends === 'retries') throw new ModelRetry('again')
    return String(id)
  }

  #of(id: number): Spec {
    return this.#specs[id] as Spec
  }

  #tick(): number {
    this.#clock += 1
    return this.#clock
  }
}

const outcomeOf: Record<Spec['ends'], string> = {
  well: 'success',
  throws: 'error',
  retries: 'error',
  denied: 'denied',
  invalid: 'invalid',
  unknown: 'unknown',
}

async function play(specs: readonly Spec[], options = {}) {
  const stage = new Stage(specs)
  const executor = new ToolExecutor({ tools: stage.tools(), confirm: () => false, ...options })
  const results = await executor.executeStep(stage.requests())
  return { stage, results }
}

function overlap(one: Span, other: Span): boolean {
  return (
    one.from < (other.to ?? Number.POSITIVE_INFINITY) && other.from < (one.to ?? Number.POSITIVE_INFINITY)
  )
}

function pairs(spans: readonly Span[]): (readonly [Span, Span])[] {
  return spans.flatMap((one, index) => spans.slice(index + 1).map((other) => [one, other] as const))
}

const steps = fc.array(spec, { maxLength: 8 })

describe('any step', () => {
  it('gives one result for each call, in call order, each as that call alone ends', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (specs) => {
        const { results } = await play(specs)
        expect(results.map(({ outcome }) => outcome)).toEqual(specs.map(({ ends }) => outcomeOf[ends]))
        expect(new Set(results.map(({ call }) => call.id)).size).toBe(specs.length)
        for (const [id, result] of results.entries()) {
          if (result.outcome === 'success') expect(result.response.text).toBe(String(id))
        }
      }),
      { numRuns: runs(40) },
    )
  })

  it('runs a call that is not parallel-safe alone, after those before it and before those behind it', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (specs) => {
        const { spans } = (await play(specs)).stage
        for (const [one, other] of pairs(spans)) {
          const isBarrier = [one, other].some(({ id }) => specs[id]?.kind === 'alone')
          if (!isBarrier) continue
          expect(overlap(one, other)).toBe(false)
          expect(one.from < other.from).toBe(one.id < other.id)
        }
      }),
      { numRuns: runs(40) },
    )
  })

  it('runs calls with equal keys one after the other, in call order', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (specs) => {
        const { spans } = (await play(specs)).stage
        for (const [one, other] of pairs(spans)) {
          const [a, b] = [specs[one.id], specs[other.id]]
          if (a?.kind !== 'keyed' || b?.kind !== 'keyed' || a.key !== b.key) continue
          expect(overlap(one, other)).toBe(false)
          expect(one.from < other.from).toBe(one.id < other.id)
        }
      }),
      { numRuns: runs(40) },
    )
  })

  it('has nothing running when it is over, also with failFast', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (specs, failFast) => {
        const { stage, results } = await play(specs, { failFast })
        const [atTheEnd, started] = [stage.now(), stage.spans.length]
        expect(results).toHaveLength(specs.length)
        await wait(2)
        // A tool of the page cannot be ended; one that was told to stop is given up and said to be running.
        const told = results.some((result: ToolResult) =>
          result.response.text.includes('may still be running'),
        )
        if (!told) expect(stage.now()).toBe(atTheEnd)
        expect(stage.spans).toHaveLength(started)
      }),
      { numRuns: runs(40) },
    )
  })

  it('leaves open what was asked about and what stands behind it, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (specs) => {
        const { results, stage } = await play(specs, { confirm: 'pause' })
        const held = heldIn(specs)
        expect(results.map(({ outcome }) => outcome === 'deferred')).toEqual(held)
        expect(results.map(({ pending }) => pending !== undefined)).toEqual(
          specs.map(({ ends }) => ends === 'denied'),
        )
        expect(stage.spans.map(({ id }) => id).filter((id) => held[id])).toEqual([])
      }),
      { numRuns: runs(40) },
    )
  })
})

/** Which calls wait, when each that asks gets no answer: said anew, call by call. */
function heldIn(specs: readonly Spec[]): boolean[] {
  const held: boolean[] = []
  for (const [index, { kind, key, ends }] of specs.entries()) {
    if (ends === 'invalid' || ends === 'unknown') {
      held.push(false)
      continue
    }
    const before = specs.slice(0, index).filter((_spec, other) => held[other])
    const standsBehind = before.some(
      (other) =>
        kind === 'alone' ||
        other.kind === 'alone' ||
        (other.kind === 'keyed' && kind === 'keyed' && other.key === key),
    )
    held.push(ends === 'denied' || standsBehind)
  }
  return held
}
