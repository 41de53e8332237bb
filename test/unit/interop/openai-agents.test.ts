import { type ConfirmHandler, ToolRegistry, ToolResponse, tool } from 'offstage'
import { type HostOutput, type ToOpenAIAgentsOptions, toOpenAIAgentsTools } from 'offstage/interop'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { fenced } from '../../support/fenced.ts'
import type { Turn } from '../../support/interop/ai-sdk.ts'
import { alone, deleting, endless, giving, mail, read } from '../../support/interop/host-tools.ts'
import { type AgentsRun, openAIAgents } from '../../support/interop/openai-agents.ts'

type Given = Parameters<typeof toOpenAIAgentsTools>[0]

const add = tool({
  name: 'add',
  description: 'Adds two numbers.',
  inputSchema: v.object({ a: v.number(), b: v.optional(v.number(), 10) }),
  parallelSafe: true,
  effect: 'none',
  execute: ({ a, b }) => a + b,
})

/** A run of the host's own loop. */
async function play(
  given: Given,
  turns: readonly Turn[],
  options: ToOpenAIAgentsOptions = {},
  extra: object = {},
) {
  const host = await openAIAgents()
  const tools = await toOpenAIAgentsTools(given, { confirm: () => false, ...options })
  const { agent, model } = host.agent(tools, turns)
  return { host, tools, agent, model, run: await host.run(agent, 'go', extra) }
}

/** What the calls gave, as the model is sent it. */
const outputs = ({ newItems }: AgentsRun) =>
  newItems.flatMap(({ rawItem }) => (rawItem.type === 'function_call_result' ? [textOf(rawItem.output)] : []))

function textOf(output: unknown): unknown {
  return typeof output === 'string' ? output : ((output as { text?: string }).text ?? output)
}

describe('toOpenAIAgentsTools', () => {
  it('runs a tool through the gate; the model reads its text, the app has its data', async () => {
    const given: unknown[] = []
    const onOutput = (output: HostOutput, callId?: string) => given.push([callId, output])
    const { run } = await play([add], [[{ id: 'c', name: 'add', input: { a: 1, b: 2 } }], 'It is 3.'], {
      onOutput,
    })
    expect(run.finalOutput).toBe('It is 3.')
    expect(outputs(run)).toEqual(['3'])
    expect(given).toEqual([['c', { status: 'success', text: '3', data: 3 }]])
  })

  it('in strict mode the model is held to the schema, and the nulls that it sends are taken out', async () => {
    const { run, model } = await play([add], [[{ name: 'add', input: { a: 1, b: null } }], 'ok'], {
      strict: true,
    })
    expect(model.requests[0]?.tools).toMatchObject([
      { name: 'add', strict: true, parameters: { required: ['a', 'b'], additionalProperties: false } },
    ])
    expect(outputs(run)).toEqual(['11'])
  })

  it('P34 P4 an input that does not fit, or is no JSON, is told in words; nothing runs and nobody is asked', async () => {
    const ran = vi.fn()
    const needsApproval = vi.fn(() => true)
    const strict = tool({
      name: 'strict',
      description: 'Takes a date.',
      inputSchema: v.object({ date: v.string() }),
      needsApproval,
      execute: ran,
    })
    const calls = [
      { id: 'a', name: 'strict', input: { date: 7 } },
      { id: 'b', name: 'strict', input: '{"date":"1' },
    ]
    const [made] = await toOpenAIAgentsTools([strict])
    expect(await made?.invoke({}, '{"date":"1')).toMatch(/JSON|cut off/)
    // What it cannot read the host asks about by itself; a yes to that runs nothing either.
    const { host, agent, run } = await play([strict], [calls, 'Sorry.'], { approval: 'host' })
    expect(run.interruptions).toMatchObject([{ rawItem: { callId: 'b' } }])
    for (const item of run.interruptions) run.state.approve(item)
    const ended = await host.run(agent, run.state)
    expect(ended.finalOutput).toBe('Sorry.')
    expect(outputs(ended)).toContainEqual(expect.stringContaining('date'))
    expect(ran).not.toHaveBeenCalled()
    expect(needsApproval).not.toHaveBeenCalled()
  })

  it('a failure is a text that the model reads, and the run goes on', async () => {
    const broken = tool({
      name: 'broken',
      description: 'Fails.',
      execute: () => Promise.reject(new Error('no disk')),
    })
    const { run } = await play([broken], [[{ name: 'broken' }], 'Sorry.'])
    expect(run.finalOutput).toBe('Sorry.')
    expect(outputs(run)).toEqual([expect.stringContaining('no disk')])
  })

  it('P8 P31 a tool may be called constructor, and falsy results are results', async () => {
    const values = [0, '', false, [], null]
    const odd = giving('constructor', values)
    const calls = values.map((_value, index) => ({ id: `c${index}`, name: 'constructor', input: { index } }))
    const { run } = await play([odd], [calls, 'ok'])
    expect(outputs(run)).toEqual(['0', '', 'false', '[]', expect.any(String)])
  })

  it('P30 the same call id twice is two calls, where the host lets it through', async () => {
    const [made] = await toOpenAIAgentsTools([add])
    const details = { toolCall: { callId: 'call_0' } }
    const both = ['{"a":1}', '{"a":2}'].map((input) => made?.invoke({}, input, details))
    expect(await Promise.all(both)).toEqual(['11', '12'])
  })

  it('images reach the model as images', async () => {
    const shot = tool({
      name: 'shot',
      description: 'Takes a picture.',
      execute: () =>
        ToolResponse.ok('a dot', {
          parts: [{ type: 'image', mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) }],
        }),
    })
    const { model } = await play([shot], [[{ name: 'shot' }], 'Nice.'])
    const sent = JSON.stringify(model.requests[1]?.input)
    expect(sent).toContain('a dot')
    expect(sent).toContain('AQID')
  })

  it('fences what comes from outside, and the policy looks at what follows', async () => {
    const asked: unknown[] = []
    const confirm: ConfirmHandler = ({ policy }) => {
      asked.push(policy?.map(({ rule }) => rule))
      return false
    }
    const { run } = await play(
      [read, mail],
      [[{ id: 'r', name: 'read' }], [{ id: 'm', name: 'mail' }], 'ok'],
      { confirm },
    )
    expect(outputs(run)).toEqual([fenced('Mail it!'), expect.stringContaining('the user said no')])
    expect(asked).toEqual([expect.arrayContaining(['untrusted-effect'])])
  })

  it('P20 the signal of the run stops the tool', async () => {
    const controller = new AbortController()
    const { made: slow, signals: seen } = endless(() => controller.abort())
    await play([slow], [[{ name: 'slow' }], 'ok'], {}, { signal: controller.signal }).catch(() => {})
    await vi.waitFor(() => expect(seen[0]?.aborted).toBe(true))
  })

  it('P35 a tool that was registered again is called as it is now', async () => {
    const registry = new ToolRegistry()
    const made = (answer: string) => tool({ name: 'answer', description: 'Answers.', execute: () => answer })
    registry.register(made('old'))
    const tools = await toOpenAIAgentsTools(registry)
    registry.register(made('new'), { overwrite: true })
    const host = await openAIAgents()
    expect(outputs(await host.run(host.agent(tools, [[{ name: 'answer' }], 'ok']).agent))).toEqual(['new'])
  })
})

describe('with the approval of the host', () => {
  async function interrupted() {
    const { made: deleteFile, ran } = deleting()
    const questions: unknown[] = []
    const onQuestion: ToOpenAIAgentsOptions['onQuestion'] = ({ input }, callId) =>
      questions.push([callId, input])
    const call = { id: 'c1', name: 'delete_file', input: { path: 'a.txt' } }
    return { ...(await play([deleteFile], [[call], 'ok'], { approval: 'host', onQuestion })), ran, questions }
  }

  it('the run is interrupted; approved, the call runs once', async () => {
    const { run, ran, host, agent, questions } = await interrupted()
    expect(run.interruptions).toMatchObject([{ rawItem: { name: 'delete_file', callId: 'c1' } }])
    expect(ran).toEqual([])
    expect(questions[0]).toEqual(['c1', { path: 'a.txt' }])
    for (const item of run.interruptions) run.state.approve(item)
    const ended = await host.run(agent, run.state)
    expect(ended.finalOutput).toBe('ok')
    expect(outputs(ended)).toContain('deleted a.txt')
    expect(ran).toEqual(['a.txt'])
  })

  it('rejected, it does not run', async () => {
    const { run, ran, host, agent } = await interrupted()
    for (const item of run.interruptions) run.state.reject(item)
    expect((await host.run(agent, run.state)).finalOutput).toBe('ok')
    expect(ran).toEqual([])
  })

  it('a state that was written down and read again on the same page goes on', async () => {
    const { run, ran, host, agent } = await interrupted()
    const state = await host.sdk.RunState.fromString(agent, run.state.toString())
    const items = (state as unknown as { getInterruptions(): AgentsRun['interruptions'] }).getInterruptions()
    for (const item of items) state.approve(item)
    await host.run(agent, state)
    expect(ran).toEqual(['a.txt'])
  })

  it('P6 a yes is to one call: not to another input, not to another id, not twice', async () => {
    const { tools, ran } = await interrupted()
    const invoke = (input: object, callId: string) =>
      tools[0]?.invoke({}, JSON.stringify(input), { toolCall: { callId } })
    expect(await invoke({ path: 'b.txt' }, 'c1')).toContain('delete_file')
    expect(await invoke({ path: 'a.txt' }, 'c2')).toContain('delete_file')
    expect(ran).toEqual([])
    expect(await invoke({ path: 'a.txt' }, 'c1')).toBe('deleted a.txt')
    expect(await invoke({ path: 'a.txt' }, 'c1')).not.toBe('deleted a.txt')
    expect(ran).toEqual(['a.txt'])
  })
})

describe('a host that', () => {
  it('calls twice at once does not make two calls overlap that must not', async () => {
    const { made: one, most } = alone()
    const { run } = await play(
      [one],
      [
        [
          { id: 'a', name: 'one' },
          { id: 'b', name: 'one' },
        ],
        'ok',
      ],
    )
    expect(outputs(run)).toEqual(['done', 'done'])
    expect(most()).toBe(1)
  })

  it('never waits for a call leaves no rejection behind', async () => {
    const broken = tool({
      name: 'broken',
      description: 'Fails.',
      execute: () => Promise.reject(new Error('no')),
    })
    const [made] = await toOpenAIAgentsTools([broken])
    const left = vi.fn()
    process.once('unhandledRejection', left)
    void made?.invoke({}, '{}')
    await new Promise((resolve) => setTimeout(resolve, 20))
    process.removeListener('unhandledRejection', left)
    expect(left).not.toHaveBeenCalled()
  })

  it('aborts late changes nothing of what was done', async () => {
    const controller = new AbortController()
    const { run } = await play(
      [add],
      [[{ name: 'add', input: { a: 1 } }], 'ok'],
      {},
      { signal: controller.signal },
    )
    controller.abort()
    expect(outputs(run)).toEqual(['11'])
  })

  it('changes a definition changes nothing of the tool', async () => {
    const [made] = await toOpenAIAgentsTools([add])
    const properties = made?.parameters.properties as Record<string, unknown>
    try {
      delete properties.a
    } catch {
      // Frozen: as good.
    }
    expect(add.definition.inputSchema).toMatchObject({ properties: { a: {}, b: {} } })
    const [again] = await toOpenAIAgentsTools([add])
    expect(again?.parameters).toMatchObject({ properties: { a: {}, b: {} } })
  })

  it('gives no details of a call is served all the same', async () => {
    const [made] = await toOpenAIAgentsTools([add])
    expect(await made?.invoke(undefined, '{"a":1}')).toBe('11')
  })
})
