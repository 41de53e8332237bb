import {
  Agent,
  type ApprovalRequest,
  ToolExecutor,
  type ToolPermissions,
  ToolRegistry,
  type ToolResult,
  Toolset,
  tool,
} from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { play } from '../agent/agent-kit.ts'
import { simple } from './step-kit.ts'

function act(ran: unknown[], options: object = {}) {
  return tool({
    name: 'act',
    description: 'Acts.',
    inputSchema: v.object({ n: v.number(), tags: v.optional(v.array(v.string())) }),
    execute: (input) => void ran.push(input),
    ...options,
  })
}

const sent = { name: 'functions.act', input: '```json\n{"n":"5","tags":null}\n```' }
const repaired = ['name', 'code-fence', 'number', 'null']

describe('arguments are repaired at every door', () => {
  const doors: Record<string, (ran: unknown[]) => Promise<ToolResult>> = {
    'ToolExecutor.execute': (ran) => new ToolExecutor({ tools: [act(ran)] }).execute(sent),
    'ToolRegistry.executeTool': (ran) => {
      const registry = new ToolRegistry()
      registry.register(act(ran))
      return registry.executeTool(sent.name, sent.input)
    },
    'Agent.executeTool': async (ran) => {
      const model = { name: 'none', stream: () => Promise.reject() as never }
      return new Agent({ model, tools: [act(ran)] }).executeTool(sent.name, sent.input)
    },
    'Agent.run': async (ran) => {
      const { result } = await play([[sent], 'done'], { tools: [act(ran)] })
      return result.steps[0]?.results[0] as ToolResult
    },
    'a tool behind wrappers': (ran) =>
      new ToolExecutor({ tools: [new Toolset([act(ran)]).renamed({ a_b: 'act' }).prefixed('x')] }).execute({
        ...sent,
        name: 'x_a_b()',
      }),
  }

  it.each(Object.keys(doors))('%s', async (door) => {
    const ran: unknown[] = []
    const result = await doors[door]?.(ran)
    expect(ran).toEqual([{ n: 5 }])
    expect(result).toMatchObject({ outcome: 'success', repaired, call: { input: { n: 5 } } })
  })

  it('in the schema that the model saw, not the one of the tool', async () => {
    const ran: unknown[] = []
    const inputSchema = { type: 'object', properties: { n: { type: 'string' } } }
    const shown = new Toolset([act(ran)]).prepared((definition) => ({ ...definition, inputSchema }))
    const { outcome, repaired } = await new ToolExecutor({ tools: [shown] }).execute({
      name: 'act',
      input: { n: '5' },
    })
    expect([ran, outcome, repaired]).toEqual([[], 'invalid', undefined])
  })
})

describe('a repaired call', () => {
  it('is what the person is asked about, what middleware sees and what the history holds', async () => {
    const [ran, seen, asked]: [unknown[], unknown[], ApprovalRequest[]] = [[], [], []]
    const { result } = await play([[sent], 'done'], {
      tools: [act(ran, { needsApproval: true })],
      middleware: [{ before: ({ name, input }) => void seen.push([name, input]) }],
      confirm: (request) => {
        asked.push(request)
        return true
      },
    })
    expect(asked).toMatchObject([{ toolName: 'act', input: { n: 5 } }])
    expect(asked[0]?.input).toEqual({ n: 5 })
    expect(seen).toEqual([['act', { n: 5 }]])
    expect(result.messages[1]).toMatchObject({ calls: [{ name: 'act', input: { n: 5 } }] })
    expect(ran).toEqual([{ n: 5 }])
  })

  it('is not one that the person or middleware wrote: there a wrong type is an error', async () => {
    const ran: unknown[] = []
    const tools = [act(ran, { needsApproval: true })]
    const confirm = () => ({ approved: true as const, input: { n: '5' } })
    const edited = await new ToolExecutor({ tools, confirm }).execute({ name: 'act', input: { n: 1 } })
    const middleware = [{ before: () => ({ input: { n: '5' } }) }]
    const changed = await new ToolExecutor({ tools, confirm, middleware }).execute({
      name: 'act',
      input: { n: 1 },
    })
    expect([edited.outcome, changed.outcome, ran]).toEqual(['invalid', 'invalid', []])
  })

  it('is asked about with the repaired input when the run pauses', async () => {
    const ran: unknown[] = []
    const options = { tools: [act(ran, { needsApproval: true })], confirm: 'pause' as const }
    const { result } = await play([[sent]], options)
    expect(result.pending).toMatchObject([{ toolName: 'act', input: { n: 5 } }])
    expect(ran).toEqual([])
    const agent = new Agent({ ...options, model: new ScriptedModel(['done']) })
    // Nobody answers at first: the marks are still there after the second pause.
    const again = await agent.resume(JSON.parse(JSON.stringify(result.state)))
    const [{ callId = '' } = {}] = again.pending
    const { steps } = await agent.resume(JSON.parse(JSON.stringify(again.state)), { [callId]: true })
    expect(steps[0]?.results[0]).toMatchObject({ outcome: 'success', repaired })
  })
})

describe('what was cut off', () => {
  it.each(['length', 'content-filter'] as const)(
    'C15 B01 is neither repaired nor run: %s',
    async (finish) => {
      const ran: unknown[] = []
      const calls = [{ name: 'act', input: '{"n":1}' }, sent, { name: 'act', input: '{"n":1,"tags":["a' }]
      const { result } = await play([{ calls, finish }, 'done'], { tools: [act(ran)] })
      const results = result.steps[0]?.results ?? []
      expect(results.map(({ outcome }) => outcome)).toEqual(['cut-off', 'cut-off', 'cut-off'])
      expect(results.map(({ call }) => call.input)).toEqual([{ n: 1 }, {}, {}])
      expect(ran).toEqual([])
    },
  )

  it('C15 is an error where the provider did not say so, and the whole call beside it runs', async () => {
    const ran: unknown[] = []
    const calls = [
      { name: 'act', input: '{"n":1}' },
      { name: 'act', input: '{"n":2,"tags":["a' },
    ]
    const { result } = await play([calls, 'done'], { tools: [act(ran)] })
    expect(result.steps[0]?.results.map(({ outcome }) => outcome)).toEqual(['success', 'invalid'])
    expect(ran).toEqual([{ n: 1 }])
  })
})

describe('a decorated name', () => {
  const run = async (name: string, names: readonly string[], permissions?: ToolPermissions) => {
    const tools = names.map((each) => simple(each, () => each))
    const executor = new ToolExecutor({ tools, ...(permissions && { permissions }) })
    return executor.execute({ name, input: {} })
  }

  it.each([
    'functions.search',
    'functions:search',
    'default_api:search',
    'default_api.search',
    'search()',
    'search ( ) ',
    ' search ',
    '\nsearch',
    'mcp__notes__search',
    ' functions.mcp__notes__search()',
  ])('B18 runs the one tool that it can mean, marked: %j', async (name) => {
    const { outcome, repaired, call, response } = await run(name, ['search', 'research'])
    expect([outcome, repaired, call.name, response.text]).toEqual(['success', ['name'], 'search', 'search'])
  })

  it.each([
    'Search',
    'functions.Search',
    'sear ch',
    'search(1)',
    'my.search',
    'tools/search',
    'mcp_notes_search',
  ])('B18 runs nothing that is only close, and suggests it: %j', async (name) => {
    const { outcome, repaired, response } = await run(name, ['search'])
    expect([outcome, repaired]).toEqual(['unknown', undefined])
    expect(response.text).toContain('Available tools: search')
  })

  it('B18 runs nothing when two servers have the tool, or two tools may be meant', async () => {
    expect((await run('functions.search', ['a_search', 'b_search'])).outcome).toBe('unknown')
    expect((await run('mcp__notes__search', ['notes_search', 'search'])).outcome).toBe('unknown')
    expect((await run('mcp__notes__search', ['notes_search'])).call.name).toBe('notes_search')
  })

  it('B18 is a name like any other where a tool has it', async () => {
    const { call, repaired } = await run('mcp__notes__search', ['mcp__notes__search', 'search'])
    expect([call.name, repaired]).toEqual(['mcp__notes__search', undefined])
  })

  it('B18 reveals no tool that is hidden', async () => {
    const { outcome, response } = await run('functions.search', ['search', 'other'], { deny: ['search'] })
    expect(outcome).toBe('unknown')
    expect(response.text).not.toContain('"search"')
  })

  it('that is a text of any length ends soon', async () => {
    for (const name of [
      `functions.${'a'.repeat(1e6)}`,
      `${'('.repeat(1e6)})`,
      ' '.repeat(1e6),
      'mcp__'.repeat(1e5),
    ]) {
      expect((await run(name, ['search'])).outcome).toBe('unknown')
    }
  })

  it('is in the history as one that providers take back', async () => {
    const { result } = await play(
      [['functions.a', 'no such (tool)', '', 'x'.repeat(90)].map((name) => ({ name, input: {} })), 'done'],
      { tools: [simple('a', () => 'ok')] },
    )
    const [, assistant, answers] = result.messages
    const names = ['a', 'no_such__tool_', '_', 'x'.repeat(64)]
    expect(assistant).toMatchObject({ calls: names.map((name) => ({ name })) })
    expect(answers).toMatchObject({ results: names.map((name) => ({ name })) })
  })
})

it('a rule that cannot be fetched ends its call and no other', async () => {
  vi.doMock('../../../src/tool/arguments/repair-arguments.ts', () => {
    throw new Error('offline')
  })
  vi.resetModules()
  const { ToolExecutor: Fresh } = await import('offstage')
  const ran: unknown[] = []
  const results = await new Fresh({ tools: [act(ran)] }).executeStep([sent, { name: 'act', input: { n: 1 } }])
  expect(results.map(({ outcome }) => outcome)).toEqual(['error', 'success'])
  expect(ran).toEqual([{ n: 1 }])
  vi.doUnmock('../../../src/tool/arguments/repair-arguments.ts')
})
