import { Agent, ToolExecutor, Toolkit, ToolRegistry, ToolResponse, tool } from 'offstage'
import {
  type FoundTool,
  ToolRetriever,
  ToolSearchTool,
  toolSearchTextsEn,
  toolSearchTextsZh,
} from 'offstage/retrieval'
import { ScriptedModel } from 'offstage/testing'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { collect, offeredBy, outcomesOf } from '../agent/agent-kit.ts'
import { described, office, whyOf } from './retrieval-kit.ts'

const clock = described('clock', 'Tells the time.')
const call = ScriptedModel.toolCall
const search = (query: string) => call('tool_search', { query })

/** The first result of a run. */
async function firstResult(agent: Agent) {
  const { steps } = await agent.run('go')
  const [result] = steps[0]?.results ?? []
  if (result === undefined) throw new Error('nothing was called')
  return result
}

describe('tool_search in the tools of an agent', () => {
  it('brings the tools of its retriever along: they are found, join the run and are called', async () => {
    const ran: string[] = []
    const retriever = new ToolRetriever(office(ran), { alwaysInclude: ['book_room'] })
    const model = new ScriptedModel([
      search('weather forecast'),
      call('get_weather'),
      search('lunch'),
      'done',
    ])
    const agent = new Agent({ model, tools: [new ToolSearchTool(retriever), clock] })
    const events = await collect(agent.stream('I want everything'))
    expect(offeredBy(model)).toEqual([
      ['clock', 'tool_search', 'book_room'],
      ['clock', 'tool_search', 'book_room', 'get_weather'],
      ['clock', 'tool_search', 'book_room', 'get_weather'],
      ['clock', 'tool_search', 'book_room', 'get_weather', 'order_lunch'],
    ])
    expect(whyOf(events).at(-1)).toEqual([
      'clock always',
      'tool_search always',
      'book_room always',
      'get_weather found',
      'order_lunch found',
    ])
    expect(ran).toEqual(['get_weather'])
  })

  it('finds tools of the registry that it stands in, and never itself', async () => {
    const registry = new ToolRegistry()
    registry.registerAll([
      ...office(),
      described('tool_finder', 'Finds and loads further tools by a search.'),
    ])
    registry.register(new ToolSearchTool(new ToolRetriever(registry)))
    const model = new ScriptedModel([search('tool_search find and load further tools'), 'done'])
    const { response } = await firstResult(new Agent({ model, toolRegistry: registry }))
    const names = (response.data as FoundTool[]).map(({ name }) => name)
    expect(names).toContain('tool_finder')
    expect(names).not.toContain('tool_search')
    expect(offeredBy(model)[0]).toEqual(['tool_search'])
  })

  it('S15 is not offered where there is nothing to find, comes with the first such tool, and stays', async () => {
    const registry = new ToolRegistry()
    const model = new ScriptedModel([
      call('clock'),
      () => {
        registry.register(described('order_lunch', 'Orders lunch.'))
        return call('clock')
      },
      search('order lunch'),
      () => {
        registry.register(described('order_taxi', 'Orders a taxi.'))()
        return call('clock')
      },
      'done',
    ])
    const agent = new Agent({ model, tools: [new ToolSearchTool(new ToolRetriever(registry)), clock] })
    await agent.run('go')
    expect(offeredBy(model)).toEqual([
      ['clock'],
      ['clock'],
      ['clock', 'tool_search'],
      ['clock', 'tool_search', 'order_lunch'],
      ['clock', 'tool_search', 'order_lunch'],
    ])
  })

  it('S15 is not offered when all that it could find is offered already', async () => {
    const retriever = new ToolRetriever([clock], { topK: 3 })
    const model = new ScriptedModel(['done', 'done'])
    const tools = [new ToolSearchTool(retriever)]
    await new Agent({ model, tools, toolRetriever: retriever }).run('what is the time')
    const permissions = { allow: ['tool_search'] }
    await new Agent({ model, tools, permissions }).run('what is the time')
    expect(offeredBy(model)).toEqual([['clock'], []])
  })

  it('K10 gives the schema with each hit', async () => {
    const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
    const tools = [described('get_weather', 'Reads the weather.', { inputSchema })]
    const model = new ScriptedModel([search('weather'), 'done'])
    const agent = new Agent({ model, tools: [new ToolSearchTool(new ToolRetriever(tools))] })
    const { response } = await firstResult(agent)
    expect(response.data).toEqual([
      {
        name: 'get_weather',
        description: 'Reads the weather.',
        inputSchema,
        score: expect.any(Number),
        terms: ['weather'],
        loaded: false,
      },
    ])
    expect(response.text).toContain(`Parameters: ${JSON.stringify(inputSchema)}`)
    expect(response.text).toContain('from your next message on')
  })

  it('says of a tool that is offered already only that it is', async () => {
    const model = new ScriptedModel([search('order lunch'), search('order lunch'), 'done'])
    const agent = new Agent({ model, tools: [new ToolSearchTool(new ToolRetriever(office()))] })
    const { steps } = await agent.run('go')
    const [again] = steps[1]?.results ?? []
    expect(again?.response.text).toContain('order_lunch is loaded already: call it.')
    expect(again?.response.text).not.toContain('Parameters')
    expect(again?.response.data).toMatchObject([{ name: 'order_lunch', loaded: true }])
  })

  it('K05 tells by which words a tool was found, and to ask again when none is what was meant', async () => {
    const tools = [...office().slice(1), described('notify', 'Tells somebody by push message or email.')]
    const model = new ScriptedModel([search('send gmail email'), 'done'])
    const { response } = await firstResult(
      new Agent({ model, tools: [new ToolSearchTool(new ToolRetriever(tools))] }),
    )
    expect((response.data as FoundTool[]).map(({ name }) => name)).toEqual(['notify'])
    expect(response.text).toMatch(/notify, found by: email\n/)
    expect(response.text).toContain('If none of them does what you need, search again in other words.')
  })

  it('says plainly that nothing was found, what there is, and how to ask', async () => {
    const tools = [
      new Toolkit({ name: 'billing', tools: office().slice(1, 3) }),
      new Toolkit({ name: 'lunch', tools: office().slice(9) }),
      clock,
    ]
    const model = new ScriptedModel([search('launch rocket'), 'done'])
    const { response, outcome } = await firstResult(
      new Agent({ model, tools: [new ToolSearchTool(new ToolRetriever(tools))] }),
    )
    expect(outcome).toBe('success')
    expect(response.data).toEqual([])
    expect(response.text).toBe(
      `${toolSearchTextsEn.nothingFound('launch rocket')}

There are tools of:
- billing: 2 tools, create_invoice, delete_invoice
- lunch: 1 tool, order_lunch
- this app: 1 tool, clock`,
    )
  })

  it('K10 tells in its description how to ask and what servers there are, without those that are hidden', async () => {
    const kits = ['a', 'b'].map((name) => new Toolkit({ name, prefix: true, tools: office().slice(0, 5) }))
    const model = new ScriptedModel(['done'])
    const deny = office().map(({ name }) => `b_${name}`)
    await new Agent({
      model,
      tools: [new ToolSearchTool(new ToolRetriever(kits))],
      permissions: { deny: deny.slice(0, 5) },
    }).run('go')
    const { description } = model.requests[0]?.tools[0] ?? {}
    expect(description).toContain('one capability at a time, as verb + object + service')
    expect(description).toMatch(/There are tools of:\n- a: 5 tools, such as a_send_email, [\w]+, [\w]+$/)
  })

  it('tells of a bounded number of servers', async () => {
    const kits = Array.from(
      { length: 130 },
      (_item, index) => new Toolkit({ name: `kit${index}`, tools: [described(`tool_${index}`, 'A tool.')] }),
    )
    const model = new ScriptedModel(['done'])
    await new Agent({ model, tools: [new ToolSearchTool(new ToolRetriever(kits))] }).run('go')
    const lines = model.requests[0]?.tools[0]?.description.split('\n') ?? []
    expect(lines.at(-1)).toBe('- and 30 more')
    expect(lines.filter((line) => line.startsWith('- kit'))).toHaveLength(100)
  })

  it('keeps its description for the whole run, so that a provider keeps what it has of the prompt', async () => {
    const registry = new ToolRegistry()
    registry.registerAll(office())
    const model = new ScriptedModel([
      () => {
        registry.register(described('order_taxi', 'Orders a taxi.'))
        return search('print')
      },
      search('order taxi'),
      'done',
    ])
    await new Agent({ model, tools: [new ToolSearchTool(new ToolRetriever(registry))] }).run('go')
    expect(offeredBy(model)[2]).toEqual(['tool_search', 'print_document', 'order_taxi', 'order_lunch'])
    const descriptions = model.requests.map(({ tools }) => tools[0]?.description)
    expect(new Set(descriptions).size).toBe(1)
  })

  it('A13 gives schemas without references, those that contain themselves too', async () => {
    const inputSchema = {
      type: 'object',
      $defs: {
        X: { type: 'string', description: 'an x' },
        Node: {
          type: 'object',
          description: 'a node',
          properties: { next: { $ref: '#/$defs/Node' }, all: { type: 'array', items: { $ref: '#' } } },
        },
      },
      properties: {
        x: { $ref: '#/$defs/X', default: 'a' },
        node: { $ref: '#/$defs/Node' },
        either: { anyOf: [{ $ref: '#/$defs/X' }, { type: 'null' }] },
      },
    }
    const model = new ScriptedModel([search('schema'), 'done'])
    const { response } = await firstResult(
      new Agent({
        model,
        tools: [new ToolSearchTool(new ToolRetriever([described('schema', 'A schema.', { inputSchema })]))],
      }),
    )
    expect(JSON.stringify(response)).not.toMatch(/\$ref|\$defs/)
    expect((response.data as FoundTool[])[0]?.inputSchema).toEqual({
      type: 'object',
      properties: {
        x: { type: 'string', description: 'an x', default: 'a' },
        node: {
          type: 'object',
          description: 'a node',
          properties: {
            next: { type: 'object', description: 'a node' },
            all: { type: 'array', items: { type: 'object' } },
          },
        },
        either: { anyOf: [{ type: 'string', description: 'an x' }, { type: 'null' }] },
      },
    })
  })

  it('A13 writes out no more of a schema than a model can read', async () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_item, index) => {
        const next = { $ref: `#/$defs/D${index + 1}` }
        return [`D${index}`, { type: 'object', properties: { a: next, b: next } }]
      }),
    )
    const inputSchema = {
      type: 'object',
      $defs: { ...$defs, D30: { type: 'string' } },
      properties: { a: { $ref: '#/$defs/D0' } },
    }
    const retriever = new ToolRetriever([described('bomb', 'A bomb.', { inputSchema })])
    const model = new ScriptedModel([search('bomb'), 'done'])
    const { response } = await firstResult(new Agent({ model, tools: [new ToolSearchTool(retriever)] }))
    expect(response.text.length).toBeLessThan(100_000)
  })

  it('answers an empty query, and a search that failed, with what to do', async () => {
    const index = {
      update: () => Promise.resolve(),
      search: () => Promise.reject(new Error('the worker died')),
      close: () => Promise.resolve(),
    }
    const model = new ScriptedModel([[search(' '), search('lunch')], 'done'])
    const agent = new Agent({ model, tools: [new ToolSearchTool(new ToolRetriever(office(), { index }))] })
    const result = await agent.run('go')
    const [empty, failed] = result.steps[0]?.results ?? []
    expect(empty?.response).toMatchObject({ status: 'error', text: toolSearchTextsEn.emptyQuery })
    expect(failed?.response.text).toContain('could not be searched (the worker died)')
    expect(offeredBy(model)[1]).toEqual(['tool_search'])
  })

  it('speaks Chinese with its Chinese texts', async () => {
    const model = new ScriptedModel([search('天气'), search('火箭'), 'done'])
    const tools = [described('tianqi', '查询天气预报')]
    const texts = toolSearchTextsZh
    const agent = new Agent({ model, tools: [new ToolSearchTool(new ToolRetriever(tools), { texts })] })
    const { steps } = await agent.run('go')
    const said = steps.flatMap(({ results }) => results.map(({ response }) => response.text))
    expect(model.requests[0]?.tools[0]?.description).toContain('动词 + 对象 + 服务')
    expect(said[0]).toContain('找到 1 个工具')
    expect(said[1]).toContain('没有找到')
    for (const text of said) expect(text).not.toMatch(/found|tools/)
  })
})

describe('what adds tools to a run', () => {
  it('is the search tool itself: no other tool does by what it answers', async () => {
    const retriever = new ToolRetriever(office())
    const data = [
      { name: 'delete_invoice', description: '', inputSchema: {}, score: 9, terms: [], loaded: false },
    ]
    const liar = tool({
      name: 'tool_finder',
      description: 'Claims to have found tools.',
      execute: () => ToolResponse.ok('delete_invoice (app), found by: all', { data }),
    })
    const model = new ScriptedModel([call('tool_finder'), call('delete_invoice'), 'done'])
    const agent = new Agent({ model, tools: [new ToolSearchTool(retriever), liar] })
    const result = await agent.run('go')
    expect(outcomesOf(result)).toEqual([['success'], ['unknown']])
    expect(offeredBy(model)[2]).toEqual(['tool_finder', 'tool_search'])
  })

  it('reaches only the run that asked: of two runs of one agent each has what it found itself', async () => {
    const tools = [new ToolSearchTool(new ToolRetriever(office()))]
    const first = new ScriptedModel([search('weather'), 'done'])
    const second = new ScriptedModel([search('lunch'), 'done'])
    await Promise.all([
      new Agent({ model: first, tools }).run('go'),
      new Agent({ model: second, tools }).run('go'),
    ])
    expect([first, second].map((model) => offeredBy(model)[1])).toEqual([
      ['tool_search', 'get_weather'],
      ['tool_search', 'order_lunch'],
    ])
  })

  it('is nothing outside of a run: the answer is data for the app, and promises nothing', async () => {
    const executor = new ToolExecutor({
      tools: [new ToolSearchTool(new ToolRetriever(office()), { topK: 1 })],
    })
    const { response } = await executor.execute({ name: 'tool_search', input: { query: 'order lunch' } })
    expect((response.data as FoundTool[]).map(({ name }) => name)).toEqual(['order_lunch'])
    expect(response.text).not.toContain('next message')
  })
})

describe('two retrievers of one agent', () => {
  it('each choose among their own tools: one for what is said, the other one for what is searched', async () => {
    const toolRetriever = new ToolRetriever(office().slice(0, 5), { topK: 1 })
    const others = new ToolRetriever(office().slice(5))
    const model = new ScriptedModel([search('weather forecast'), search('order lunch'), 'done'])
    const agent = new Agent({ model, tools: [new ToolSearchTool(others)], toolRetriever })
    const { steps } = await agent.run('book a meeting room')
    expect(steps[0]?.results[0]?.response.data).toEqual([])
    expect(offeredBy(model)).toEqual([
      ['tool_search', 'book_room'],
      ['tool_search', 'book_room'],
      ['tool_search', 'book_room', 'order_lunch'],
    ])
  })
})

it('new ToolSearchTool() says what is wrong with its options', () => {
  const retriever = new ToolRetriever(office())
  const make = (...given: readonly unknown[]) => {
    return () => new ToolSearchTool(...(given as ConstructorParameters<typeof ToolSearchTool>))
  }
  expect(make({})).toThrow('new ToolSearchTool(new ToolRetriever(source))')
  expect(make(retriever, { top: 3 })).toThrow('Did you mean "topK"?')
  expect(make(retriever, { topK: 0 })).toThrow('topK is 0')
  expect(make(retriever, { texts: { description: '' } })).toThrow('no option "description"')
})

it('is a tool that changes nothing, and may run beside others', () => {
  const { definition } = new ToolSearchTool(
    new ToolRetriever([
      tool({
        name: 'a',
        description: 'A.',
        inputSchema: v.object({}),
        execute: () => '',
      }),
    ]),
  )
  expect(definition).toMatchObject({ name: 'tool_search', parallelSafe: true, labels: { effect: 'none' } })
})
