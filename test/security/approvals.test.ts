import fc from 'fast-check'
import {
  Agent,
  Grants,
  type JsonObject,
  memoryStore,
  type RunState,
  type Tool,
  ToolExecutor,
  Toolkit,
  tool,
} from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { runs } from '../support/runs.ts'

/** Tools that ask, and what ran of them. */
function askingTools(names: readonly string[], version = '1') {
  const ran: unknown[] = []
  const tools = names.map(
    (name) =>
      tool({
        name,
        description: `Does ${name}.`,
        version,
        inputSchema: v.looseObject({}),
        parallelSafe: true,
        needsApproval: true,
        execute: (input) => {
          ran.push([name, input])
          return 'done'
        },
      }) as unknown as Tool,
  )
  return { tools, ran }
}

const names = ['a', 'b', 'a_b', 'ab']
const key = fc.constantFrom('a', 'b', 'a\nb', '"', '')
const leaf = fc.oneof(fc.string({ maxLength: 4 }), fc.integer(), fc.boolean(), fc.constant(null))
const inputs = fc
  .dictionary(key, fc.oneof(leaf, fc.array(leaf, { maxLength: 2 })), { maxKeys: 3 })
  .map((input) => JSON.parse(JSON.stringify(input)) as JsonObject)
const aCall = fc.record({
  name: fc.constantFrom(...names),
  input: inputs,
  version: fc.constantFrom('1', '2'),
})

const same = (one: unknown, other: unknown) => {
  try {
    expect(one).toEqual(other)
    return true
  } catch {
    return false
  }
}

const pausedWith = async (calls: readonly { readonly name: string; readonly input: JsonObject }[]) => {
  const { tools } = askingTools(names)
  const model = new ScriptedModel([calls.map(({ name, input }) => ScriptedModel.toolCall(name, input))])
  const { state, pending } = await new Agent({ model, tools, confirm: 'pause' }).run('go')
  return { state: JSON.parse(JSON.stringify(state)) as RunState, ids: pending.map(({ callId }) => callId) }
}

const resumedWith = async (state: RunState, ids: readonly string[], version = '1') => {
  const { tools, ran } = askingTools(names, version)
  const agent = new Agent({ model: new ScriptedModel(['end', 'end']), tools, confirm: 'pause' })
  const { pending } = await agent.resume(state, Object.fromEntries(ids.map((id) => [id, true])))
  return { pending, ran }
}

describe('an approval cannot be used for another call', () => {
  it('of a run that was paused: not for another input, tool or version, whatever of the state was changed', async () => {
    const parts = fc.record({ call: fc.boolean(), question: fc.boolean(), id: fc.boolean() })
    const property = fc.asyncProperty(aCall, aCall, parts, async (asked, other, changes) => {
      const { state, ids } = await pausedWith([asked])
      const [saved] = state.open?.calls ?? []
      const id = changes.id ? 'another' : String(ids[0])
      const { name, input } = other
      const question = {
        ...saved?.pending,
        ...(changes.question ? { toolName: name, input } : {}),
        callId: id,
      }
      const changed = { ...saved, ...(changes.call ? { name, input } : {}), id, pending: question }
      const forged = { ...state, open: { ...state.open, calls: [changed] } } as RunState
      const { ran, pending } = await resumedWith(forged, [id], other.version)
      const isOther = !same([asked.name, asked.input, '1'], [changed.name, changed.input, other.version])
      if (isOther || changes.id) {
        expect(ran).toEqual([])
        expect(pending).toHaveLength(1)
      } else if (!changes.question || same([name, input], [asked.name, asked.input])) {
        expect(ran).toEqual([[asked.name, asked.input]])
      }
    })
    await fc.assert(property, { numRuns: runs(30) })
  })

  it('of the same step: two questions that change places are both asked anew', async () => {
    const property = fc.asyncProperty(aCall, aCall, async (one, other) => {
      fc.pre(!same([one.name, one.input], [other.name, other.input]))
      const { state, ids } = await pausedWith([one, other])
      const [first, second] = state.open?.calls ?? []
      const calls = [
        { ...first, pending: { ...second?.pending, callId: first?.id } },
        { ...second, pending: { ...first?.pending, callId: second?.id } },
      ]
      const { ran, pending } = await resumedWith(
        { ...state, open: { ...state.open, calls } } as RunState,
        ids,
      )
      expect(ran).toEqual([])
      expect(pending).toHaveLength(2)
    })
    await fc.assert(property, { numRuns: runs(30) })
  })

  it('that is remembered for one input, of a tool of another name, version or origin', async () => {
    const executorOf = (version: string, grants: Grants, isKit: boolean, answer: boolean) => {
      const { tools, ran } = askingTools(names, version)
      const confirm = () => (answer ? ({ approved: true, remember: 'always' } as const) : false)
      const kit = isKit ? [new Toolkit({ name: 'x', prefix: true, tools })] : tools
      return { executor: new ToolExecutor({ tools: kit, grants, confirm }), ran }
    }
    const property = fc.asyncProperty(aCall, aCall, fc.boolean(), async (allowed, call, isKit) => {
      const grants = new Grants({ store: memoryStore() })
      await executorOf(allowed.version, grants, false, true).executor.execute(allowed)
      const { executor, ran } = executorOf(call.version, grants, isKit, false)
      const { name, input } = call
      await executor.execute({ name: isKit ? `x_${name}` : name, input })
      expect(ran).toEqual(!isKit && same(allowed, call) ? [[name, input]] : [])
    })
    await fc.assert(property, { numRuns: runs(60) })
  })

  it('P7 is not confused by what would be the same when it is joined: name "a\\nb", id "c" and name "a", id "b\\nc"', async () => {
    const grants = new Grants({ store: memoryStore() })
    const given = { scope: 'tool', duration: 'always' } as const
    await grants.add({ ...given, origin: 'app', toolName: 'a\nb', fingerprint: 'c' })
    const found = (toolName: string, fingerprint: string) =>
      grants.find({ origin: 'app', toolName, fingerprint, input: {} })
    expect(await found('a\nb', 'c')).toBeDefined()
    expect(await found('a', 'b\nc')).toBeUndefined()
    const { state, ids } = await pausedWith([{ name: 'a', input: { 'a\nb': 'c' } }])
    const swapped = JSON.parse(JSON.stringify(state).replaceAll('{"a\\nb":"c"}', '{"a":"b\\nc"}')) as RunState
    expect(swapped).not.toEqual(state)
    expect((await resumedWith(swapped, ids)).ran).toEqual([])
    const [saved] = state.open?.calls ?? []
    const renamed = { ...saved, id: 'b\nc', name: 'a', pending: { ...saved?.pending, callId: 'b\nc' } }
    const forged = { ...state, open: { ...state.open, calls: [renamed] } } as RunState
    expect((await resumedWith(forged, ['b\nc'])).ran).toEqual([])
  })
})
