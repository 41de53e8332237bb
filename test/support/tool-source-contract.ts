import type { SourceCallOptions, ToolLabels, ToolOrigin, ToolSource } from 'offstage'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { contractTools, given } from './tool-source-contract-tools.ts'

/** A source that offers the tools of the contract. */
export interface OpenedSource {
  readonly source: ToolSource
  /** The name under which it offers a tool of the contract. @default the tool's own */
  nameOf?(name: string): string
}

/** How a tool of the contract ends, as an outcome says it. */
type End = 'retry' | 'failed' | 'approval' | 'deferred' | 'crash'

/** What of the contract is lost on the way of a source whose tools are not of this library. */
export interface SourceTraits {
  /** @default 'app' */
  readonly origin?: ToolOrigin
  /** Of each tool, when the way has no word for labels. @default the tools' own */
  readonly labels?: ToolLabels
  /** Outcomes of ends that the way has no word for. @default the tools' own */
  readonly ends?: Readonly<Record<End, object>>
  /** A progress value of a tool as it arrives. @default as it is */
  progress?(value: unknown): unknown
  /** The text of nothing at all, when the way cannot tell that from an empty text. */
  readonly noOutput?: string
  /** Whether a tool is told of the deps, the run and the step. @default true */
  readonly tellsRun?: boolean
}

const ownEnds: Readonly<Record<End, object>> = {
  retry: { kind: 'retry', message: 'again, with more' },
  failed: { kind: 'failed', message: 'no way' },
  approval: { kind: 'approval', reason: 'this is big' },
  deferred: { kind: 'deferred', metadata: { ticket: 7 } },
  crash: { kind: 'crash', error: { name: 'RangeError', message: 'too far' } },
}

/** What every source must do, whatever it stands on. `open` makes a new one for each test; it is closed after it. */
export function describeToolSource(
  title: string,
  open: () => OpenedSource | Promise<OpenedSource>,
  traits: SourceTraits = {},
): void {
  const { origin = 'app', labels, ends = ownEnds, progress = (value) => value, noOutput } = traits
  const { tellsRun = true } = traits
  const opened = async () => {
    const { source, nameOf = (name: string) => name } = await open()
    onTestFinished(() => source.close?.())
    return {
      source,
      nameOf,
      preflight: (name: string, input: unknown, options?: SourceCallOptions) =>
        source.preflight(nameOf(name), input, options),
      call: (name: string, input: unknown, options?: SourceCallOptions) =>
        source.call(nameOf(name), input, options),
    }
  }

  describe(`${title} as a source`, () => {
    it('lists the same tools in the same order each time', async () => {
      const { source, nameOf } = await opened()
      const [first, second] = [await source.list(), await source.list()]
      expect(second).toEqual(first)
      expect(first.map(({ definition }) => definition.name)).toEqual(
        contractTools.map(({ name }) => nameOf(name)),
      )
      for (const listed of first) {
        expect(listed.fingerprint).toMatch(/^[0-9a-f]{64}$/)
        expect(listed.origin).toBe(origin)
      }
    })

    it('S19 lists definitions that nobody can change', async () => {
      const { source } = await opened()
      for (const { definition } of await source.list()) expectDeeplyFrozen(definition)
      const [first] = await source.list()
      const properties = first?.definition.inputSchema.properties as Record<string, unknown>
      expect(() => Object.assign(properties, { more: {} })).toThrow(TypeError)
      expect((await source.list())[0]?.definition.inputSchema.properties).not.toHaveProperty('more')
    })

    it.each(['nobody', 'constructor', '__proto__', 'toString'])(
      'P8 says that %s is not there',
      async (name) => {
        const { source } = await opened()
        expect(await source.preflight(name, {})).toMatchObject({
          kind: 'failed',
          message: expect.any(String),
        })
        expect(await source.call(name, {})).toMatchObject({ kind: 'failed', message: expect.any(String) })
        await source.list()
        expect((await source.call(name, {})).kind).toBe('failed')
      },
    )

    it('finds a tool before anybody asked for its list', async () => {
      const { call } = await opened()
      expect(await call('add', { a: 1, b: 2 })).toMatchObject({ kind: 'response', response: { text: '3' } })
    })

    it('checks an input: what is wrong, what is filled in, what is left out', async () => {
      const { preflight } = await opened()
      expect(await preflight('add', { a: 'one' })).toMatchObject({ kind: 'invalid', issues: [{ path: 'a' }] })
      expect(await preflight('add', { a: 1, more: 2 })).toMatchObject({
        kind: 'ready',
        input: { a: 1, b: 1 },
        droppedKeys: ['more'],
        needsApproval: false,
        labels: labels ?? { effect: 'none', egress: false, reads: 'public', externalContent: false },
      })
      for (const input of [null, 'text', [1], { a: () => 1 }]) {
        expect((await preflight('add', input)).kind).toBe('invalid')
      }
    })

    it('decides by the input whether a person must be asked, and how the call is to be judged', async () => {
      const { preflight } = await opened()
      expect(await preflight('pay', { amount: 101 })).toMatchObject({
        kind: 'ready',
        needsApproval: true,
        labels: labels ?? { effect: 'external' },
      })
      expect(await preflight('pay', { amount: 0 })).toMatchObject({
        kind: 'ready',
        needsApproval: false,
        labels: labels ?? { effect: 'none' },
      })
    })

    it('tells of the start once, then of progress in order, then of the end', async () => {
      const { source, call } = await opened()
      const told: unknown[] = []
      const outcome = await call(
        'report',
        {},
        {
          onStart: ({ at }) => told.push(typeof at),
          onProgress: (value) => told.push(value),
        },
      )
      expect(outcome).toMatchObject({ kind: 'response', response: { text: 'reported' } })
      expect(told).toEqual([...(source.reportsStart ? ['number'] : []), ...[1, 2, 3].map(progress)])
    })

    it('does not start a call that was aborted before', async () => {
      const { call } = await opened()
      const onStart = vi.fn()
      const outcome = await call('count', {}, { signal: AbortSignal.abort(), onStart })
      expect(outcome).toEqual({ kind: 'stopped', mayHaveRun: false })
      expect(onStart).not.toHaveBeenCalled()
    })

    it('stops a call that runs, and says that it may have done something', async () => {
      const { call } = await opened()
      const controller = new AbortController()
      const outcome = await call(
        'wait',
        {},
        {
          signal: controller.signal,
          onProgress: () => controller.abort(),
        },
      )
      expect(outcome).toMatchObject({ kind: 'stopped', mayHaveRun: true })
    })

    it.each(Object.entries(ends))('tells how a tool ended: %s', async (how, outcome) => {
      const { call } = await opened()
      expect(await call('end', { how })).toMatchObject(outcome)
    })

    it.each(Object.entries(given))('keeps a result that is %s', async (what, value) => {
      const { call } = await opened()
      const outcome = await call('give', { what })
      if (outcome.kind !== 'response') throw new Error(JSON.stringify(outcome))
      const isNothing = value === null || value === undefined
      const text = isNothing ? '' : typeof value === 'string' ? value : JSON.stringify(value)
      expect(outcome.empty ?? false).toBe(isNothing && noOutput === undefined)
      if (noOutput !== undefined) expect(outcome.response.text).toBe(text || noOutput)
      else if (!isNothing) expect(outcome.response.text).toBe(text)
    })

    it.runIf(tellsRun)('tells a tool of the deps, the run and the step', async () => {
      const { call } = await opened()
      const outcome = await call('whoami', {}, { deps: { user: 'Ada' }, runId: 'run-1', step: 2 })
      expect(outcome).toMatchObject({ response: { text: 'Ada run-1 2' } })
    })

    it('refuses an input at the call too', async () => {
      const { call } = await opened()
      const outcome = await call('add', { a: 'one' })
      const issues = outcome.kind === 'not-ready' ? outcome.answer : outcome
      expect(issues).toMatchObject({ kind: 'invalid', issues: [{ path: 'a' }] })
    })

    it('may be closed twice', async () => {
      const { source } = await opened()
      await source.list()
      await source.close?.()
      await source.close?.()
    })
  })
}

function expectDeeplyFrozen(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  expect(Object.isFrozen(value), JSON.stringify(value)).toBe(true)
  for (const member of Object.values(value)) expectDeeplyFrozen(member)
}
