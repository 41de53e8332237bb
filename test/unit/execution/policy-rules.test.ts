import fc from 'fast-check'
import {
  type ApprovalRequest,
  defaultPolicy,
  Grants,
  memoryStore,
  type Policy,
  type PolicyAnswer,
  type PolicyQuestion,
  type PolicyRule,
  policyTextsEn,
  strictPolicy,
  type TaintSource,
  ToolExecutor,
  tool,
} from 'offstage'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { RunTaint } from '../../../src/execution/run-taint.ts'
import { runs } from '../../support/runs.ts'

const note = tool({
  name: 'note',
  description: 'Writes a note.',
  inputSchema: v.object({ text: v.string() }),
  execute: ({ text }) => text,
})

async function outcome(policy: readonly PolicyRule[], confirm?: (request: ApprovalRequest) => boolean) {
  const executor = new ToolExecutor({ tools: [note], policy, ...(confirm && { confirm }) })
  const result = await executor.execute({ name: 'note', input: { text: 'x' } })
  return { result, stages: executor.explain(result.call.id) }
}

const says = (kind: 'allow' | 'confirm' | 'deny', name = kind): PolicyRule => ({
  name,
  judge: () => ({ kind, reason: `${name} says so` }),
})

describe('rules of an app', () => {
  it('see the call, and what they say counts outside a run, too', async () => {
    const seen: PolicyQuestion[] = []
    const { result } = await outcome([{ name: 'watch', judge: (question) => void seen.push(question) }])
    expect(result.outcome).toBe('success')
    expect(seen).toMatchObject([
      { call: { name: 'note', input: { text: 'x' } }, origin: 'app', isRevealed: false },
    ])
  })

  it('are all asked, and the strictest answer counts', async () => {
    const asked: ApprovalRequest[] = []
    const confirm = (request: ApprovalRequest) => Boolean(asked.push(request))
    expect((await outcome([says('allow'), says('confirm')], confirm)).result.outcome).toBe('success')
    expect(asked[0]?.reasons).toEqual(['confirm says so'])
    const { result, stages } = await outcome([says('deny'), says('confirm'), says('allow')], confirm)
    expect(result).toMatchObject({ outcome: 'denied', error: { code: 'policy' } })
    expect(asked).toHaveLength(1)
    expect(stages?.slice(5)).toMatchObject([
      { stage: 'policy', answer: 'deny', by: 'deny' },
      { stage: 'policy', answer: 'confirm', by: 'confirm' },
      { stage: 'run', answer: 'denied' },
    ])
  })

  it.each([
    ['throws', () => JSON.parse('{')],
    ['answers later', async () => ({ kind: 'allow' })],
    ['says what is no answer', () => true],
  ])('that %s deny', async (_what, judge) => {
    const { result } = await outcome([{ name: 'broken', judge: judge as never }], () => true)
    expect(result.outcome).toBe('denied')
    expect(result.response.text).toContain('broken')
  })

  it('that cannot be are refused at once', () => {
    for (const policy of ['on', [{}], [{ name: 'a' }]]) {
      expect(() => new ToolExecutor({ tools: [note], policy: policy as never })).toThrow(/policy/)
    }
    expect(() => new ToolExecutor({ tools: [note], trustedHosts: 'a' as never })).toThrow(/trustedHosts/)
  })
})

const source: TaintSource = { kind: 'result', toolName: 'page', callId: 'c' }
const strictness = { allow: 0, confirm: 1, deny: 2 }
const effects = fc.constantFrom('none', 'local', 'external', 'destructive')
const labels = fc.record({
  effect: effects,
  egress: fc.oneof(fc.boolean(), fc.constant(['a.example'])),
  reads: fc.constantFrom('public', 'private'),
  externalContent: fc.boolean(),
})
const some = fc.array(fc.constant(source), { maxLength: 2 })
const places = fc.array(fc.constant({ kind: 'host', name: 'a.example', host: 'a.example' }), { maxLength: 2 })

describe('the default rules', () => {
  it.each([
    ['confirm', defaultPolicy],
    ['strict', strictPolicy],
  ])('(%s) never ask less when more was read', (_name, rules) => {
    const strict = (question: unknown) =>
      Math.max(...rules.map((rule) => strictness[rule.judge(question as PolicyQuestion)?.kind ?? 'allow']))
    const property = fc.property(labels, some, some, some, some, fc.boolean(), places, (...given) => {
      const [label, untrusted, more, secret, moreSecret, isRevealed, unknownDestinations] = given
      const base = { call: note, definition: note.definition, labels: label, texts: policyTextsEn }
      const less = { untrusted, private: secret }
      const all = { untrusted: [...untrusted, ...more], private: [...secret, ...moreSecret] }
      const before = strict({ ...base, taint: less, isRevealed: false, unknownDestinations: [] })
      const after = strict({
        ...base,
        taint: all,
        isRevealed: isRevealed && all.untrusted.length > 0,
        unknownDestinations,
      })
      expect(after).toBeGreaterThanOrEqual(before)
    })
    fc.assert(property)
  })
})

/** A rule that says anything of each state that it can tell apart. */
const anyRule: fc.Arbitrary<PolicyRule> = fc
  .record({
    answers: fc.array(fc.constantFrom('allow', 'confirm', 'deny', 'throw'), { minLength: 32, maxLength: 32 }),
    onlyTainted: fc.boolean(),
  })
  .map(({ answers, onlyTainted }) => ({
    name: 'any',
    onlyTainted,
    judge: ({ taint, isRevealed, unknownDestinations, labels }) => {
      const states = [
        taint.untrusted.length > 0,
        taint.private.length > 0,
        isRevealed,
        unknownDestinations.length > 0,
      ]
      const place = [...states, labels.effect !== 'none'].reduce((sum, is) => sum * 2 + Number(is), 0)
      const kind = answers[place] ?? 'allow'
      if (kind === 'throw') throw new Error('broken')
      return { kind, reason: kind } as PolicyAnswer
    },
  }))

it('whatever the rules and the call, nothing that was read makes the gate less strict', async () => {
  const policies = fc.oneof(
    fc.constantFrom<Policy>('confirm', 'strict', defaultPolicy),
    fc.array(fc.oneof(anyRule, fc.constantFrom(...strictPolicy)), { minLength: 1, maxLength: 3 }),
  )
  const sources = fc.constantFrom(0, 1, 3).map((count) => Array.from({ length: count }, () => source))
  const read = fc.record({ untrusted: sources, private: sources, isRevealed: fc.boolean() })
  const inputs = fc.constantFrom('x', 'https://evil.example/a', 'to m@evil.example', 'see docs.example')
  const outcomes = ['success', 'deferred', 'denied']
  const property = fc.asyncProperty(
    policies,
    labels,
    inputs,
    read,
    read,
    async (policy, label, text, one, other) => {
      const act = tool({
        ...{ name: 'act', description: 'Acts.', inputSchema: v.object({ text: v.string() }) },
        ...(label as object),
        execute: () => 'done',
      })
      const executor = new ToolExecutor({ tools: [act], policy, confirm: 'pause' })
      const [listed] = await executor.list()
      const strict = async ({ untrusted, private: secrets, isRevealed }: typeof one) => {
        const known =
          isRevealed && untrusted.length > 0 ? [] : [JSON.stringify(['app', 'act', listed?.fingerprint])]
        const taint = new RunTaint({ untrusted, private: secrets, known, doubted: [] })
        const [result] = await executor.executeStep([{ name: 'act', input: { text } }], { taint })
        return outcomes.indexOf(result?.outcome ?? '')
      }
      const more = {
        untrusted: [...one.untrusted, ...other.untrusted],
        private: [...one.private, ...other.private],
        isRevealed: one.isRevealed || other.isRevealed,
      }
      const before = await strict(one)
      expect(before).toBeGreaterThanOrEqual(0)
      expect(await strict(more)).toBeGreaterThanOrEqual(before)
    },
  )
  await fc.assert(property, { numRuns: runs(300) })
})

describe('an approval', () => {
  it('is for one call and one input, and cannot be used for another one', async () => {
    const texts = fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 5 })
    const property = fc.asyncProperty(texts, fc.boolean(), async (inputs, remembers) => {
      const grants = new Grants({ store: memoryStore() })
      const executor = new ToolExecutor({
        tools: [note],
        policy: [says('confirm')],
        grants,
        confirm: ({ input }) =>
          input.text === inputs[0] && (remembers ? { approved: true, remember: 'session' } : true),
      })
      const run = async (text: string) => (await executor.execute({ name: 'note', input: { text } })).outcome
      expect(await run(inputs[0] as string)).toBe('success')
      for (const text of inputs.slice(1)) expect(await run(text)).toBe('denied')
    })
    await fc.assert(property, { numRuns: 20 })
  })
})
