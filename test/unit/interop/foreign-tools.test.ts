import { Agent, type ApprovalRequest, type RunResult, type ToolSource, tool } from 'offstage'
import { fromAISDKTools, fromPlainTools, type PlainTool } from 'offstage/interop'
import { ScriptedModel } from 'offstage/testing'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { fenced } from '../../support/fenced.ts'
import { hosts } from '../../support/interop/ai-sdk.ts'

const mail = tool({
  name: 'send_mail',
  description: 'Mails.',
  effect: 'external',
  egress: true,
  execute: () => 'sent',
})

/** What an agent does that calls these tools in turn, and what the person was asked. */
async function play(source: ToolSource, calls: readonly (readonly [string, object?])[], confirm = true) {
  const asked: ApprovalRequest[] = []
  const agent = new Agent({
    model: new ScriptedModel([...calls.map(([name, input]) => ScriptedModel.toolCall(name, input)), 'end']),
    tools: [source, mail],
    confirm: (request) => {
      asked.push(request)
      return confirm
    },
  })
  const { steps, taint } = await agent.run('go')
  return {
    asked: asked.map(({ toolName, origin }) => [toolName, origin]),
    taint,
    results: steps.flatMap(({ results }) => results),
  }
}

const plain = (parts: Partial<PlainTool> = {}): PlainTool => ({
  name: 'look',
  description: 'Looks.',
  inputSchema: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
  execute: ({ at }: { at: string }) => `saw ${at}`,
  ...parts,
})

describe('fromPlainTools', () => {
  it('brings tools in under an origin of their own, with the strictest labels and a question before each call', async () => {
    const source = fromPlainTools([plain()], { name: 'crm' })
    expect(await source.list()).toMatchObject([
      {
        origin: 'foreign:crm',
        definition: {
          needsApproval: true,
          labels: { effect: 'external', egress: true, reads: 'private', externalContent: true },
        },
      },
    ])
    const { asked, results, taint } = await play(source, [['look', { at: 'x' }], ['send_mail']])
    expect(asked).toEqual([
      ['look', 'foreign:crm'],
      ['send_mail', 'app'],
    ])
    expect(results[0]).toMatchObject({
      outcome: 'success',
      origin: 'foreign:crm',
      response: { text: fenced('saw x') },
    })
    expect(taint?.untrusted).toContainEqual({ kind: 'description', origin: 'foreign:crm', toolName: 'look' })
  })

  it('those that are the app’s own are as if made with tool()', async () => {
    const { asked, results, taint } = await play(fromPlainTools([plain()], { name: 'crm', trust: 'app' }), [
      ['look', { at: 'x' }],
      ['send_mail'],
    ])
    expect(asked).toEqual([])
    expect(results[0]?.response.text).toBe('saw x')
    expect(taint).toBeUndefined()
  })

  it.each([
    ['JSON Schema', plain().inputSchema],
    ['zod', z.object({ at: z.string() })],
    ['Valibot', v.object({ at: v.string() })],
  ])('checks the input by a schema of %s', async (_kind, inputSchema) => {
    const execute = vi.fn(() => 'seen')
    const source = fromPlainTools([plain({ inputSchema, execute })], { name: 'crm', trust: 'app' })
    const { results } = await play(source, [
      ['look', {}],
      ['look', { at: 'y' }],
    ])
    expect(results.map(({ outcome }) => outcome)).toEqual(['invalid', 'success'])
    expect(execute).toHaveBeenCalledOnce()
  })

  it('P20 calls a tool as a method, with a signal', async () => {
    const own = {
      ...plain(),
      word: 'hello',
      execute(this: { word: string }, _input: never, context: { signal: AbortSignal }) {
        return `${this.word} ${context.signal.aborted}`
      },
    }
    const { results } = await play(fromPlainTools([own as PlainTool], { name: 'crm', trust: 'app' }), [
      ['look', { at: 'x' }],
    ])
    expect(results[0]?.response.text).toBe('hello false')
  })

  it('says which tool cannot be used, and why', () => {
    expect(() => fromPlainTools([plain({ inputSchema: 7 })], { name: 'crm' })).toThrow(
      'fromPlainTools(), "look", inputSchema',
    )
    expect(() => fromPlainTools([{} as PlainTool], { name: 'crm' })).toThrow('tools[0]')
    expect(() => fromPlainTools([plain(), plain()], { name: 'crm' })).toThrow('look')
    expect(() => fromPlainTools([plain()], { name: 'no spaces' })).toThrow('foreign:{name}')
    expect(() => fromPlainTools([plain()], { name: 'a', trusted: true } as never)).toThrow('trust')
  })
})

describe.each(hosts)('fromAISDKTools of %s', (_name, load) => {
  it('takes what tool() makes: schema, body, preliminary outputs, what the model reads', async () => {
    const { sdk } = await load()
    const seen: unknown[] = []
    const theirs = sdk.tool({
      description: 'Counts.',
      inputSchema: z.object({ to: z.number() }),
      execute: async function* (
        { to }: { to: number },
        options: { toolCallId: string; abortSignal: AbortSignal; messages: unknown[] },
      ) {
        seen.push([typeof options.toolCallId, options.abortSignal instanceof AbortSignal, options.messages])
        for (let index = 1; index <= to; index += 1) yield { at: index }
      },
      toModelOutput: ({ output }: { output: { at: number } }) => ({
        type: 'text',
        value: `counted to ${output.at}`,
      }),
    })
    const source = await fromAISDKTools({ count: theirs }, { name: 'theirs', trust: 'app' })
    const progress: unknown[] = []
    const agent = new Agent({
      model: new ScriptedModel([ScriptedModel.toolCall('count', { to: 3 }), 'end']),
      tools: [source],
    })
    let ended: RunResult | undefined
    for await (const event of agent.stream('go')) {
      if (event.type === 'progress') progress.push(event.value)
      if (event.type === 'done') ended = event.result
    }
    expect(ended?.steps[0]?.results).toMatchObject([
      { outcome: 'success', origin: 'foreign:theirs', response: { text: 'counted to 3', data: { at: 3 } } },
    ])
    expect(progress).toEqual([{ at: 1 }, { at: 2 }])
    expect(seen).toEqual([['string', true, []]])
  })

  it('takes schemas of AI SDK’s own, and dynamic tools', async () => {
    const { sdk } = await load()
    const inputSchema = sdk.jsonSchema({
      type: 'object',
      properties: { n: { type: 'number' } },
      required: ['n'],
    })
    const theirs = sdk.dynamicTool({
      description: 'Doubles.',
      inputSchema,
      execute: async ({ n }: { n: number }) => n * 2,
    })
    const source = await fromAISDKTools({ double: theirs }, { name: 'theirs', trust: 'app' })
    const { results } = await play(source, [
      ['double', { n: 'x' }],
      ['double', { n: 4 }],
    ])
    expect(results.map(({ outcome, response }) => [outcome, response.data])).toEqual([
      ['invalid', undefined],
      ['success', 8],
    ])
  })

  it('asks where the tool itself wants it, and before each call of one that nobody knows', async () => {
    const { sdk } = await load()
    const made = (needsApproval: unknown) =>
      sdk.tool({
        description: 'Pays.',
        inputSchema: z.object({ sum: z.number() }),
        needsApproval,
        execute: () => 'paid',
      })
    const large = made(async ({ sum }: { sum: number }) => sum > 10)
    const own = await fromAISDKTools({ pay: large }, { name: 'bank', trust: 'app' })
    expect(
      (
        await play(own, [
          ['pay', { sum: 5 }],
          ['pay', { sum: 50 }],
        ])
      ).asked,
    ).toEqual([['pay', 'foreign:bank']])
    const unknown = await fromAISDKTools({ pay: large }, { name: 'bank' })
    expect((await play(unknown, [['pay', { sum: 5 }]])).asked).toEqual([['pay', 'foreign:bank']])
  })

  it('one without a body is answered elsewhere', async () => {
    const { sdk } = await load()
    const theirs = sdk.tool({ description: 'Asks the person for a colour.', inputSchema: z.object({}) })
    const source = await fromAISDKTools({ pick_colour: theirs }, { name: 'ui', trust: 'app' })
    const agent = new Agent({
      model: new ScriptedModel([ScriptedModel.toolCall('pick_colour'), 'end']),
      tools: [source],
    })
    const paused = await agent.run('go')
    expect(paused.pending).toMatchObject([
      { kind: 'external', toolName: 'pick_colour', origin: 'foreign:ui' },
    ])
    const ended = await agent.resume(paused.state as never, {
      [paused.pending[0]?.callId ?? '']: { output: 'red' },
    })
    expect(ended.finalOutput).toBe('end')
  })
})

it('a tool of a version that is not supported is refused, with what to change', async () => {
  const old = { description: 'Of AI SDK 4.', parameters: z.object({}), execute: () => 1 }
  await expect(fromAISDKTools({ old }, { name: 'x' })).rejects.toThrow(
    'fromAISDKTools(), "old": it has "parameters", as in AI SDK 4. Versions 6 and 7 are supported',
  )
})

it('what the provider runs itself is refused, with what to do instead', async () => {
  const search = { type: 'provider-defined', id: 'openai.web_search' }
  await expect(fromAISDKTools({ search }, { name: 'x' })).rejects.toThrow(
    'fromAISDKTools(), "search": the provider runs it itself',
  )
  await expect(fromAISDKTools([] as never, { name: 'x' })).rejects.toThrow('an object of tools by name')
  await expect(fromAISDKTools({ 'bad name': { execute: () => 1 } }, { name: 'x' })).rejects.toThrow(
    'bad name',
  )
})
