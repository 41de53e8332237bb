import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createMistral } from '@ai-sdk/mistral'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { Agent, type Message, tool } from 'offstage'
import { fromLanguageModel } from 'offstage/models'
import { createOpenAICompatible as createOpenAICompatibleV3 } from 'openai-compatible-v3'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { anthropicMessage, type Block, openAnthropic } from '../../support/provider-servers/anthropic.ts'
import {
  chatCompletion,
  mistralCompletion,
  openChatCompletions,
  openMistral,
} from '../../support/provider-servers/chat-completions.ts'
import { geminiAnswer, openGemini, type Part } from '../../support/provider-servers/gemini.ts'
import {
  type Item,
  openaiResponse,
  openOpenAIResponses,
} from '../../support/provider-servers/openai-responses.ts'

const apiKey = 'test-key'

/** Tools that take anything and say their name. */
const named = (...names: readonly string[]) =>
  names.map((name) =>
    tool({
      name,
      description: `Does ${name}.`,
      inputSchema: v.looseObject({}),
      execute: () => `${name} done`,
    }),
  )

const stored = (messages: readonly Message[]): Message[] => JSON.parse(JSON.stringify(messages))

/** A conversation in which calls with these ids were answered. */
const answered = (...providerIds: readonly string[]): Message[] => [
  { role: 'user', text: 'Go.' },
  {
    role: 'assistant',
    text: '',
    calls: providerIds.map((providerId, index) => ({
      id: `call_${index}`,
      providerId,
      name: 'f',
      input: {},
    })),
  },
  {
    role: 'tool',
    results: providerIds.map((_, index) => ({
      ...{ callId: `call_${index}`, name: 'f', text: `done ${index}`, outcome: 'success' as const },
    })),
  },
]

describe('a conversation with Anthropic', () => {
  async function anthropic(turns: readonly (readonly Block[])[], signed: Record<string, string> = {}) {
    const server = await openAnthropic(
      turns.map((blocks) => anthropicMessage(blocks)),
      signed,
    )
    const model = fromLanguageModel(createAnthropic({ apiKey, baseURL: server.url })('claude-sonnet-4-5'))
    return { ...server, model }
  }

  it('C13 a call without arguments has an empty object, also behind a text and beside another', async () => {
    const { model, requests } = await anthropic([
      [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'toolu_1', name: 'f', json: [''] },
        { type: 'tool_use', id: 'toolu_2', name: 'g', json: [] },
      ],
      [{ type: 'text', text: 'Done.' }],
    ])
    const result = await new Agent({ model, tools: named('f', 'g') }).run('Go.')
    expect(result.messages[1]).toMatchObject({
      calls: [
        { name: 'f', input: {} },
        { name: 'g', input: {} },
      ],
    })
    expect(requests[1]?.body.messages[1]?.content).toMatchObject([
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 'toolu_1', input: {} },
      { type: 'tool_use', id: 'toolu_2', input: {} },
    ])
  })

  it('D05 has the results of a message in one message, the text of the person behind them', async () => {
    const { model, requests } = await anthropic([[{ type: 'text', text: 'Yes.' }]])
    await new Agent({ model, tools: named('f') }).run('Well?', { messages: answered('a', 'b') })
    expect(requests[0]?.body.messages[2]).toMatchObject({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: 'done 0' },
        { type: 'tool_result', tool_use_id: 'b', content: 'done 1' },
        { type: 'text', text: 'Well?' },
      ],
    })
  })

  it('keeps signed and redacted thinking as it came, before the calls, also once stored', async () => {
    const thinking: Block[] = [
      { type: 'thinking', thinking: 'Two of them.', signature: 'c2ln/+==' },
      { type: 'redacted_thinking', data: 'ZGF0YQ==' },
    ]
    const { model, requests } = await anthropic(
      [
        [...thinking, { type: 'tool_use', id: 'toolu_1', name: 'f', json: ['{"x":', '1}'] }],
        [{ type: 'text', text: 'Done.' }],
        [{ type: 'text', text: 'Yes.' }],
      ],
      { 'c2ln/+==': 'Two of them.' },
    )
    const agent = new Agent({ model, tools: named('f') })
    const { messages } = await agent.run('Go.')
    await agent.run('Sure?', { messages: stored(messages) })
    for (const { body } of requests.slice(1)) {
      expect(body.messages[1]?.content).toEqual([
        ...thinking,
        { type: 'tool_use', id: 'toolu_1', name: 'f', input: { x: 1 } },
      ])
    }
    expect(requests).toHaveLength(3)
  })

  it('has ids that it takes, also of calls that another provider made', async () => {
    const { model, requests } = await anthropic([[{ type: 'text', text: 'Yes.' }]])
    await new Agent({ model, tools: named('f') }).run('Well?', {
      messages: answered('functions.f:0', 'toolu_1'),
    })
    expect(requests[0]?.body.messages[1]?.content).toMatchObject([{ id: 'call_0' }, { id: 'toolu_1' }])
  })

  it('defines the tools of its calls when none may be called, and says so', async () => {
    const { model, requests } = await anthropic([[{ type: 'text', text: 'Yes.' }]])
    const closedTools = named('f').map(({ definition }) => definition)
    const { signal } = new AbortController()
    for await (const _event of model.stream({ messages: answered('a'), tools: [], closedTools, signal }));
    expect(requests[0]?.body).toMatchObject({ tools: [{ name: 'f' }], tool_choice: { type: 'none' } })
  })
})

describe('a conversation with Google', () => {
  async function google(
    turns: readonly (readonly Part[])[],
    signatures: readonly string[],
    id = 'gemini-3-pro-preview',
  ) {
    const server = await openGemini(turns.map(geminiAnswer), signatures)
    return { ...server, model: fromLanguageModel(createGoogle({ apiKey, baseURL: server.url })(id)) }
  }

  it('D06 D16 has the signature of a call beside it, byte for byte, also once stored', async () => {
    const call = { functionCall: { name: 'fs_list', args: { path: '.' } }, thoughtSignature: 'AAA' }
    const { model, requests } = await google([[call], [{ text: 'Done.' }], [{ text: 'Yes.' }]], ['AAA'])
    const agent = new Agent({ model, tools: named('fs_list') })
    const { messages } = await agent.run('Go.')
    await agent.run('Sure?', { messages: stored(messages) })
    expect(requests).toHaveLength(3)
    for (const { body } of requests.slice(1)) expect(body.contents[1]?.parts).toMatchObject([call])
  })

  it('D08 has signed thoughts and unsigned calls at their places, each with its own fields', async () => {
    const parts = [
      { thought: true, text: '...', thoughtSignature: 'S1' },
      { functionCall: { name: 'f', args: {} } },
      { functionCall: { name: 'g', args: {} } },
    ]
    const { model, requests } = await google([parts, [{ text: 'Done.' }]], ['S1'], 'gemini-2.5-pro')
    await new Agent({ model, tools: named('f', 'g') }).run('Go.')
    const sent = requests[1]?.body.contents[1]?.parts ?? []
    expect(sent).toMatchObject(parts)
    expect(sent.map(({ thoughtSignature }) => thoughtSignature)).toEqual(['S1', undefined, undefined])
  })

  it('has the signature that came behind the last text as a part of its own', async () => {
    const parts = [{ text: 'Hello ' }, { text: 'there.' }, { text: '', thoughtSignature: 'END' }]
    const { model, requests } = await google([parts, [{ text: 'Yes.' }]], ['END'])
    const agent = new Agent({ model })
    const { messages, finalOutput } = await agent.run('Hi.')
    expect(finalOutput).toBe('Hello there.')
    await agent.run('Sure?', { messages: stored(messages) })
    expect(requests[1]?.body.contents[1]?.parts).toEqual([{ text: 'Hello there.', thoughtSignature: 'END' }])
  })

  it('gives back the image that the model made', async () => {
    const image = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgoA' }, thoughtSignature: 'IMG' }
    const { model, requests } = await google([[{ text: 'Here.' }, image], [{ text: 'Yes.' }]], ['IMG'])
    const agent = new Agent({ model })
    const { messages } = await agent.run('Draw.')
    await agent.run('Bigger.', { messages: stored(messages) })
    expect(requests[1]?.body.contents[1]?.parts).toMatchObject([{ text: 'Here.' }, image])
  })
})

describe('a conversation with OpenAI Responses', () => {
  const items: Item[] = [
    { type: 'reasoning', id: 'rs_1', summaries: ['First.', 'Second.'], encrypted: 'gAAA+/=' },
    { type: 'function_call', id: 'fc_1', callId: 'c1', name: 'f', arguments: '{}' },
  ]

  async function responses(store: boolean) {
    const server = await openOpenAIResponses(
      [
        openaiResponse(items),
        openaiResponse([{ type: 'message', id: 'msg_1', text: 'Done.' }]),
        openaiResponse([{ type: 'message', id: 'msg_2', text: 'Yes.' }]),
      ],
      { c1: 'rs_1' },
    )
    const model = createOpenAI({ apiKey, baseURL: server.url })('gpt-5')
    return {
      ...server,
      model: fromLanguageModel(model, { settings: { providerOptions: { openai: { store } } } }),
    }
  }

  it('D10 has the reasoning of a call before it, and the output behind it, also once stored', async () => {
    const { model, requests } = await responses(false)
    const agent = new Agent({ model, tools: named('f') })
    const { messages } = await agent.run('Go.')
    await agent.run('Sure?', { messages: stored(messages) })
    expect(requests).toHaveLength(3)
    const summary = ['First.', 'Second.'].map((text) => ({ type: 'summary_text', text }))
    for (const { body } of requests.slice(1)) {
      expect(body.input.slice(1, 4)).toMatchObject([
        { type: 'reasoning', id: 'rs_1', encrypted_content: 'gAAA+/=', summary },
        { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: 'f done' },
      ])
    }
  })

  it('D10 names the items that the provider has stored', async () => {
    const { model, requests } = await responses(true)
    await new Agent({ model, tools: named('f') }).run('Go.')
    expect(requests[1]?.body.input.slice(1)).toMatchObject([
      { type: 'item_reference', id: 'rs_1' },
      { type: 'function_call', call_id: 'c1' },
      { type: 'function_call_output', call_id: 'c1' },
    ])
  })
})

describe('a conversation with Mistral', () => {
  const ids = ['2968-LWy3uasib', 'toolu_01abc', 'functions.eval:301', 'D681PevKs']

  it('D11 has ids of nine letters and digits, the same in each request; those of the messages stay', async () => {
    const { url, requests } = await openMistral([
      mistralCompletion({ calls: [{ id: 'D681PevKs', name: 'f', arguments: '{}' }] }),
      mistralCompletion({ text: 'Done.' }),
    ])
    const model = fromLanguageModel(createMistral({ apiKey, baseURL: url })('mistral-large-latest'))
    const { messages } = await new Agent({ model, tools: named('f') }).run('More.', {
      messages: answered(...ids),
    })
    const [first, second] = requests.map(({ body }) =>
      body.messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id)),
    )
    expect(first?.[3]).toBe('D681PevKs')
    expect(second?.slice(0, 4)).toEqual(first)
    expect(new Set(second).size).toBe(5)
    expect(messages[1]).toMatchObject({
      calls: ids.map((providerId, index) => ({ id: `call_${index}`, providerId })),
    })
    expect(messages.at(-3)).toMatchObject({ calls: [{ providerId: 'D681PevKs' }] })
  })

  it('lets the model speak between results and what a person says', async () => {
    const { url, requests } = await openMistral([mistralCompletion({ text: 'Done.' })])
    const model = fromLanguageModel(createMistral({ apiKey, baseURL: url })('mistral-large-latest'))
    await new Agent({ model, tools: named('f') }).run('More.', { messages: answered('D681PevKs') })
    const roles = requests[0]?.body.messages.map(({ role }) => role)
    expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
  })
})

describe('a conversation in chat completions', () => {
  const makers = { 4: createOpenAICompatible, 3: createOpenAICompatibleV3 }

  it.each(Object.entries(makers))(
    'B20 has different ids for calls that had none, in version %s',
    async (_, make) => {
      const call = { name: 'read', arguments: '{}' }
      const { url, requests } = await openChatCompletions([
        chatCompletion({
          calls: [
            { ...call, id: '' },
            { ...call, id: '' },
          ],
        }),
        chatCompletion({ calls: [call] }),
        chatCompletion({ text: 'Done.' }),
      ])
      const model = fromLanguageModel(make({ name: 'local', baseURL: url })('qwen3'))
      const result = await new Agent({ model, tools: named('read') }).run('Go.')
      expect(result.finalOutput).toBe('Done.')
      const ids = requests[2]?.body.messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id))
      expect(new Set(ids).size).toBe(3)
      expect(ids).not.toContain('read')
    },
  )

  it.each(Object.entries(makers))('B20 has each id once, in version %s', async (_, make) => {
    const call = { id: 'call_0', name: 'read', arguments: '{}' }
    const { url, requests } = await openChatCompletions([
      chatCompletion({ calls: [call] }),
      chatCompletion({ calls: [call] }),
      chatCompletion({ text: 'Done.' }),
    ])
    const model = fromLanguageModel(make({ name: 'local', baseURL: url })('qwen3'))
    await new Agent({ model, tools: named('read') }).run('Go.')
    const idsOf = (index: number) =>
      requests[index]?.body.messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id))
    expect(idsOf(1)).toEqual(['call_0'])
    expect(idsOf(2)?.[0]).toBe('call_0')
    expect(new Set(idsOf(2)).size).toBe(2)
  })

  it('D05 has the results of a message behind it, the text of the person behind them', async () => {
    const { url, requests } = await openChatCompletions([chatCompletion({ text: 'Yes.' })])
    const model = fromLanguageModel(createOpenAI({ apiKey, baseURL: url }).chat('gpt-4o'))
    await new Agent({ model, tools: named('f') }).run('Well?', { messages: answered('a', 'b') })
    expect(requests[0]?.body.messages.slice(2)).toMatchObject([
      { role: 'tool', tool_call_id: 'a', content: 'done 0' },
      { role: 'tool', tool_call_id: 'b', content: 'done 1' },
      { role: 'user', content: 'Well?' },
    ])
  })

  it.each(Object.entries(makers))(
    'gives reasoning back to a model that shows it, in version %s',
    async (_, make) => {
      const { url, requests } = await openChatCompletions([
        chatCompletion({ reasoning: 'Hm.', calls: [{ id: 'c1', name: 'f', arguments: '{}' }] }),
        chatCompletion({ text: 'Done.' }),
      ])
      const model = fromLanguageModel(make({ name: 'local', baseURL: url })('deepseek-reasoner'))
      await new Agent({ model, tools: named('f') }).run('Go.')
      expect(requests[1]?.body.messages[1]).toMatchObject({
        reasoning_content: 'Hm.',
        tool_calls: [{ id: 'c1' }],
      })
    },
  )
})
