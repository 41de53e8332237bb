import {
  Agent,
  type RunState,
  type Tool,
  Toolkit,
  ToolRegistry,
  type ToolSource,
  Toolset,
  tool,
} from 'offstage'
import { ToolRetriever, ToolSearchTool } from 'offstage/retrieval'
import { ScriptedModel } from 'offstage/testing'
import { describe, expect, it, vi } from 'vitest'
import { described, office, whyOf } from '../retrieval/retrieval-kit.ts'
import { sourceOf } from '../toolset/sources.ts'
import { collect, expectValidHistory, offeredBy, outcomesOf } from './agent-kit.ts'
import { overJson, WatchedStore } from './run-kit.ts'

const clock = described('clock', 'Tells the time.')
const call = ScriptedModel.toolCall

describe('an agent with a toolRetriever', () => {
  it('offers the tools that fit what the person says, in an order of its own tools first, and says why', async () => {
    const model = new ScriptedModel(['done'])
    const toolRetriever = new ToolRetriever(office(), { topK: 2, alwaysInclude: ['book_room'] })
    const agent = new Agent({ model, tools: [clock], toolRetriever })
    const events = await collect(agent.stream('Please delete the invoice of last week'))
    expect(offeredBy(model)).toEqual([['clock', 'book_room', 'delete_invoice', 'create_invoice']])
    expect(whyOf(events)).toEqual([
      ['clock always', 'book_room always', 'delete_invoice hit', 'create_invoice hit'],
    ])
    const start = events.find((event) => event.type === 'step-start')
    expect(start).toMatchObject({
      notes: [],
      picked: [
        {},
        {},
        { score: expect.any(Number), terms: expect.arrayContaining(['delete', 'invoice']) },
        {},
      ],
    })
  })

  it('has the tools of its retriever once, whether or not they are among its own', async () => {
    const tools = office()
    const registry = new ToolRegistry()
    registry.registerAll(tools)
    const kit = new Toolkit({ name: 'office', tools })
    for (const options of [
      { tools, toolRetriever: new ToolRetriever(tools, { topK: 1 }) },
      { tools: [...tools, clock], toolRetriever: new ToolRetriever(tools, { topK: 1 }) },
      { toolRegistry: registry, toolRetriever: new ToolRetriever(registry, { topK: 1 }) },
      { tools: [kit], toolRetriever: new ToolRetriever(kit, { topK: 1 }) },
      { tools: () => [clock], toolRetriever: new ToolRetriever(registry.toolset(), { topK: 1 }) },
    ]) {
      const model = new ScriptedModel([call('order_lunch'), 'done'])
      const result = await new Agent({ model, ...options }).run('order lunch')
      expect(outcomesOf(result)).toEqual([['success']])
      expect(offeredBy(model)[0]?.filter((name) => name !== 'clock')).toEqual(['order_lunch'])
    }
  })

  it('picks once for what the person says; a later step offers the same list object', async () => {
    const model = new ScriptedModel([call('order_lunch'), call('order_lunch'), 'done'])
    const toolRetriever = new ToolRetriever(office(), { topK: 2 })
    await new Agent({ model, tools: [clock], toolRetriever }).run('order lunch')
    const [first, ...later] = model.requests.map(({ tools }) => tools)
    expect(first?.map(({ name }) => name)).toEqual(['clock', 'order_lunch'])
    for (const tools of later) expect(tools).toBe(first)
  })

  it('picks anew for the next thing said, and keeps what the conversation has called', async () => {
    const model = new ScriptedModel([call('order_lunch'), 'Ordered.', 'Sunny.'])
    const toolRetriever = new ToolRetriever(office(), { topK: 1 })
    const agent = new Agent({ model, toolRetriever })
    const { messages } = await agent.run('order lunch please')
    const events = await collect(agent.stream('how is the weather?', { messages }))
    expect(offeredBy(model)[2]).toEqual(['order_lunch', 'get_weather'])
    expect(whyOf(events)).toEqual([['order_lunch used', 'get_weather hit']])
  })

  it('goes by what was said before when the last words find nothing', async () => {
    const model = new ScriptedModel(['Shall I?', 'done'])
    const agent = new Agent({ model, toolRetriever: new ToolRetriever(office(), { topK: 1 }) })
    const { messages } = await agent.run('order lunch please')
    await agent.run('yes', { messages })
    expect(offeredBy(model)[1]).toEqual(['order_lunch'])
  })

  it('K10 never offers, finds or runs what permissions hide', async () => {
    const ran: string[] = []
    const retriever = new ToolRetriever(office(ran), { topK: 2 })
    const model = new ScriptedModel([
      call('tool_search', { query: 'delete invoice' }),
      [call('delete_invoice'), call('delete_invoices')],
      'done',
    ])
    const agent = new Agent({
      model,
      tools: [new ToolSearchTool(retriever)],
      toolRetriever: retriever,
      permissions: { deny: ['delete_invoice'] },
    })
    const result = await agent.run('delete the invoice of last week')
    expect(outcomesOf(result)).toEqual([['success'], ['not-allowed', 'unknown']])
    expect(offeredBy(model).flat()).not.toContain('delete_invoice')
    const [found, , unknown] = result.steps.flatMap(({ results }) => results)
    expect(found?.response.text).not.toContain('delete_invoice')
    expect(unknown?.response.text).toContain('no tool named "delete_invoices"')
    expect(unknown?.response.text).not.toMatch(/"delete_invoice"|delete_invoice,/)
    expect(ran).toEqual([])
  })

  it('K10 leaves out and does not run what the permissions of the retriever hide', async () => {
    const ran: string[] = []
    const toolRetriever = new ToolRetriever(office(ran), { permissions: { deny: ['delete_invoice'] } })
    const model = new ScriptedModel([call('delete_invoice'), 'done'])
    const result = await new Agent({ model, toolRetriever }).run('delete the invoice')
    expect(offeredBy(model)[0]).toEqual(['create_invoice'])
    expect(outcomesOf(result)).toEqual([['unknown']])
    expect(offeredBy(model)[1]).toEqual(['create_invoice'])
    expect(ran).toEqual([])
  })

  it('chooses among the tools that the step may offer: those that are hidden take no place of the others', async () => {
    const lunches = Array.from({ length: 9 }, (_item, index) =>
      described(`lunch_${index}`, index === 8 ? 'Lunch.' : 'Orders lunch for tomorrow.'),
    )
    const tools = [...lunches, ...office().slice(0, 9)]
    const deny = lunches.slice(0, 8).map(({ name }) => name)
    const model = new ScriptedModel(['done'])
    await new Agent({
      model,
      toolRetriever: new ToolRetriever(tools, { topK: 3 }),
      permissions: { deny },
    }).run('order lunch for tomorrow')
    expect(offeredBy(model)).toEqual([['lunch_8']])
  })

  it('does not run a tool that is not offered: the model reads that it is loaded now, and calls it again', async () => {
    const ran: string[] = []
    const toolRetriever = new ToolRetriever(office(ran), { topK: 1 })
    const model = new ScriptedModel([call('get_weather'), call('functions.get_weather'), 'done'])
    const agent = new Agent({ model, toolRetriever })
    const events = await collect(agent.stream('order lunch'))
    const [first] = events.flatMap((event) => (event.type === 'result' ? [event.result] : []))
    expect(first).toMatchObject({ outcome: 'unknown', error: { code: 'unknown-tool' } })
    expect(first?.response.text).toMatch(/get_weather was not executed: .*loaded now: read its parameters/)
    expect(whyOf(events).slice(0, 2)).toEqual([['order_lunch hit'], ['order_lunch hit', 'get_weather named']])
    expect(ran).toEqual(['get_weather'])
  })

  it('with a tool_search lets the model search for a tool that is not offered', async () => {
    const ran: string[] = []
    const retriever = new ToolRetriever(office(ran), { topK: 1 })
    const model = new ScriptedModel([call('get_weather'), 'done'])
    const agent = new Agent({ model, tools: [new ToolSearchTool(retriever)], toolRetriever: retriever })
    const result = await agent.run('order lunch')
    expect(result.steps[0]?.results[0]?.response.text).toContain('Find it with tool_search first')
    expect(offeredBy(model)[1]).toEqual(['tool_search', 'order_lunch'])
    expect(ran).toEqual([])
  })

  it('S13 says nothing of the tools that are not offered when a name is none', async () => {
    const model = new ScriptedModel([call('nope'), 'done'])
    const result = await new Agent({
      model,
      toolRetriever: new ToolRetriever(office(), { topK: 1 }),
    }).run('order lunch')
    const text = result.steps[0]?.results[0]?.response.text ?? ''
    expect(text).toContain('Available tools: order_lunch.')
    for (const { name } of office()) if (name !== 'order_lunch') expect(text).not.toContain(name)
  })

  it('offers tools that come to the source of the retriever only when they fit, and others at once', async () => {
    const registry = new ToolRegistry()
    registry.registerAll(office())
    const other = new ToolRegistry()
    const toolRetriever = new ToolRetriever(registry, { topK: 1 })
    const model = new ScriptedModel([
      () => {
        registry.register(described('order_taxi', 'Orders a taxi.'))
        other.register(clock)
        return call('order_lunch')
      },
      'done',
      'done',
    ])
    const agent = new Agent({ model, tools: [other.toolset()], toolRetriever })
    await agent.run('order lunch')
    await agent.run('order a taxi')
    expect(offeredBy(model)).toEqual([['order_lunch'], ['order_lunch', 'clock'], ['clock', 'order_taxi']])
  })

  it('goes on by onEmpty when its index fails, with a note for the developer and no word to the model', async () => {
    const index = {
      update: () => Promise.reject(new Error('the file is gone')),
      search: () => Promise.resolve([]),
      close: () => Promise.resolve(),
    }
    const model = new ScriptedModel(['done'])
    const agent = new Agent({
      model,
      instructions: 'Be brief.',
      tools: [clock],
      toolRetriever: new ToolRetriever(office(), { index, onEmpty: 'none' }),
    })
    const events = await collect(agent.stream('order lunch'))
    expect(offeredBy(model)).toEqual([['clock']])
    expect(model.requests[0]?.instructions).toBe('Be brief.')
    expect(events.find((event) => event.type === 'step-start')).toMatchObject({
      notes: [{ kind: 'picker-failed', message: expect.stringContaining('the file is gone') }],
    })
  })

  it('goes by words alone when the embedder fails, and the developer reads that in the step', async () => {
    const heard = vi.fn()
    const others = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException').on('uncaughtException', heard)
    try {
      const embed = { embed: () => Promise.reject(new Error('no memory left')) }
      const model = new ScriptedModel(['done'])
      const agent = new Agent({ model, toolRetriever: new ToolRetriever(office(), { embed }) })
      const events = await collect(agent.stream('order lunch'))
      expect(offeredBy(model)).toEqual([['order_lunch']])
      expect(events.find((event) => event.type === 'step-start')).toMatchObject({
        notes: [{ kind: 'picker-failed', message: expect.stringMatching(/words alone: .*no memory left/) }],
      })
      await vi.waitFor(() => expect(heard).toHaveBeenCalled())
    } finally {
      process.removeAllListeners('uncaughtException')
      for (const listener of others) process.on('uncaughtException', listener)
    }
  })

  it('runs no tool that is called in the same message as the search for it, and then offers it', async () => {
    const ran: string[] = []
    const model = new ScriptedModel([
      [call('tool_search', { query: 'order lunch' }), call('order_lunch')],
      call('order_lunch'),
      'done',
    ])
    const agent = new Agent({ model, tools: [new ToolSearchTool(new ToolRetriever(office(ran)))] })
    const result = await agent.run('go')
    expect(outcomesOf(result)).toEqual([['success', 'unknown'], ['success']])
    expect(ran).toEqual(['order_lunch'])
  })

  it('knows a search tool behind the wrappers of a source', async () => {
    const retriever = new ToolRetriever(office(), { topK: 1 })
    const tools = [new Toolset([new ToolSearchTool(retriever)]).prefixed('my')]
    const model = new ScriptedModel([
      call('my_tool_search', { query: 'weather' }),
      call('print_document'),
      'done',
    ])
    const agent = new Agent({ model, tools, toolRetriever: retriever })
    const result = await agent.run('order lunch')
    expect(offeredBy(model)[1]).toEqual(['my_tool_search', 'order_lunch', 'get_weather'])
    expect(result.steps[1]?.results[0]?.response.text).toContain('Find it with my_tool_search first')
  })

  it('ends on a mistake in the options of the retriever, which no rule for failures covers', async () => {
    const toolRetriever = new ToolRetriever(office(), { alwaysInclude: ['order_lunsh'] })
    const agent = new Agent({ model: new ScriptedModel([]), toolRetriever })
    await expect(agent.run('hi')).rejects.toThrow('alwaysInclude: there is no tool "order_lunsh"')
  })

  it('looks through 10,000 tools once, and in later steps only at those that it offers', async () => {
    const inner = sourceOf(...Array.from({ length: 10_000 }, (_item, index) => `tool_${index}`))
    let looks = 0
    const counted = (await inner.list()).map((tool) => ({
      ...tool,
      get definition() {
        looks += 1
        return tool.definition
      },
    }))
    const source: ToolSource = {
      list: () => Promise.resolve(Object.freeze(counted)),
      preflight: (name, input, options) => inner.preflight(name, input, options),
      call: (name, input, options) => inner.call(name, input, options),
    }
    const seen: number[] = []
    const turn = () => {
      seen.push(looks)
      return call('tool_7')
    }
    const model = new ScriptedModel([turn, turn, turn, turn, 'done'])
    const toolRetriever = new ToolRetriever(source, { topK: 3 })
    await new Agent({ model, tools: [clock], toolRetriever }).run('say tool_7')
    expect(offeredBy(model)[0]).toContain('tool_7')
    const [first = 0, second = 0, , fourth = 0] = seen
    expect(first).toBeGreaterThan(10_000)
    expect(second - first).toBeLessThan(200)
    expect(fourth - second).toBeLessThan(400)
  })

  it('is told by name when the retriever is none', () => {
    const make = () => new Agent({ model: new ScriptedModel([]), toolRetriever: {} as never })
    expect(make).toThrow('toolRetriever: expected new ToolRetriever(source)')
  })
})

describe('a run with picked tools that is resumed', () => {
  const asked = { confirm: 'pause' } as const

  it('offers what it offered, found tools included, without picking anew', async () => {
    const ran: string[] = []
    const tools = office(ran)
    const retriever = new ToolRetriever(tools, { topK: 1 })
    const options = { tools: [new ToolSearchTool(retriever)], toolRetriever: retriever, ...asked }
    const ask = described('ask', 'Asks.') as never
    const paused = new ScriptedModel([
      call('tool_search', { query: 'weather forecast' }),
      [call('get_weather'), call('tool_search', { query: 'translate text' }), call('pay')],
    ])
    const pay = payTool()
    const first = await new Agent({ model: paused, ...options, tools: [...options.tools, pay, ask] }).run(
      'order lunch',
    )
    expect(first.status).toBe('paused')
    const state = overJson(first.state) as RunState
    const again = new ToolRetriever(tools, { topK: 1 })
    const model = new ScriptedModel(['done'])
    const agent = new Agent({
      ...{ model, ...asked },
      tools: [new ToolSearchTool(again), pay, ask],
      toolRetriever: again,
    })
    const result = await agent.resume(state, { [first.pending[0]?.callId as string]: true })
    expect(outcomesOf(result)).toEqual([['success', 'success', 'success']])
    expect(offeredBy(model)).toEqual([
      ['pay', 'ask', 'tool_search', 'order_lunch', 'get_weather', 'translate_text'],
    ])
    expect(offeredBy(paused)[1]).toEqual(['pay', 'ask', 'tool_search', 'order_lunch', 'get_weather'])
    expectValidHistory(result.messages)
  })

  it('of a state from before there was a retriever runs its open calls, and picks then', async () => {
    const pay = payTool()
    const tools = [...office(), pay]
    const before = await new Agent({ model: new ScriptedModel([call('pay')]), tools, ...asked }).run(
      'order lunch',
    )
    const model = new ScriptedModel(['done'])
    const agent = new Agent({ model, toolRetriever: new ToolRetriever(tools, { topK: 1 }), ...asked })
    const result = await agent.resume(overJson(before.state) as RunState, {
      [before.pending[0]?.callId as string]: true,
    })
    expect(outcomesOf(result)).toEqual([['success']])
    expect(offeredBy(model)).toEqual([['pay', 'order_lunch']])
  })

  it('after the page was closed while calls ran has the tools that a search had found by then', async () => {
    const store = new WatchedStore()
    const retriever = new ToolRetriever(office(), { topK: 1 })
    const model = new ScriptedModel([call('tool_search', { query: 'weather forecast' }), 'done'])
    await new Agent({ model, tools: [new ToolSearchTool(retriever)], store }).run('hello')
    const afterSearch = store.saves.filter(({ state }) => JSON.stringify(state).includes('get_weather'))
    const pickedThen = afterSearch[0]?.state.picked as unknown as { name: string; why: string }[]
    expect(pickedThen.map(({ name, why }) => `${name} ${why}`)).toContain('get_weather found')
  })
})

function payTool(): Tool {
  return tool({ name: 'pay', description: 'Pays.', needsApproval: true, execute: () => 'paid' }) as Tool
}
