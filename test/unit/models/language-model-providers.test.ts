import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createMistral } from '@ai-sdk/mistral'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { Agent, tool } from 'offstage'
import { fromLanguageModel } from 'offstage/models'
import { createOpenAICompatible as createOpenAICompatibleV3 } from 'openai-compatible-v3'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { anthropicMessage, openAnthropic } from '../../support/provider-servers/anthropic.ts'
import {
  chatCompletion,
  mistralCompletion,
  openChatCompletions,
  openMistral,
} from '../../support/provider-servers/chat-completions.ts'
import { geminiAnswer, openGemini } from '../../support/provider-servers/gemini.ts'
import { openaiResponse, openOpenAIResponses } from '../../support/provider-servers/openai-responses.ts'

const apiKey = 'test-key'
const add = tool({
  name: 'add',
  description: 'Adds two numbers.',
  inputSchema: v.object({ a: v.number(), b: v.number() }),
  execute: ({ a, b }) => a + b,
})

/** Each model, and a server that lets it call `add` and then answer in two pieces of text. */
const models = {
  'OpenAI Responses': async () => {
    const { url } = await openOpenAIResponses([
      openaiResponse([
        { type: 'function_call', id: 'fc_1', callId: 'call_1', name: 'add', arguments: '{"a":1,"b":2}' },
      ]),
      openaiResponse([{ type: 'message', id: 'msg_1', text: 'It is 3.' }]),
    ])
    return createOpenAI({ apiKey, baseURL: url })('gpt-5')
  },
  'OpenAI chat': async () => {
    const { url } = await openChatCompletions(chatTurns())
    return createOpenAI({ apiKey, baseURL: url }).chat('gpt-4o')
  },
  Anthropic: async () => {
    const json = ['', '{"a":1,', '"b":2}']
    const { url } = await openAnthropic([
      anthropicMessage([{ type: 'tool_use', id: 'toolu_1', name: 'add', json }]),
      anthropicMessage([{ type: 'text', text: 'It is 3.' }]),
    ])
    return createAnthropic({ apiKey, baseURL: url })('claude-sonnet-4-5')
  },
  Google: async () => {
    const call = { functionCall: { name: 'add', args: { a: 1, b: 2 } } }
    const replies = [geminiAnswer([call]), geminiAnswer([{ text: 'It ' }, { text: 'is 3.' }])]
    const { url } = await openGemini(replies, [])
    return createGoogle({ apiKey, baseURL: url })('gemini-2.5-flash')
  },
  Mistral: async () => {
    const { url } = await openMistral([
      mistralCompletion({ calls: [{ id: 'D681PevKs', name: 'add', arguments: '{"a":1,"b":2}' }] }),
      mistralCompletion({ text: 'It is 3.' }),
    ])
    return createMistral({ apiKey, baseURL: url })('mistral-large-latest')
  },
  'OpenAI-compatible': async () => {
    const { url } = await openChatCompletions(chatTurns())
    return createOpenAICompatible({ name: 'local', baseURL: url })('qwen3')
  },
  'OpenAI-compatible, version 3': async () => {
    const { url } = await openChatCompletions(chatTurns())
    return createOpenAICompatibleV3({ name: 'local', baseURL: url, includeUsage: true })('qwen3')
  },
}

function chatTurns() {
  return [
    chatCompletion({ calls: [{ id: 'call_1', name: 'add', arguments: '{"a":1,"b":2}' }] }),
    chatCompletion({ text: 'It is 3.' }),
  ]
}

describe('fromLanguageModel', () => {
  it.each(Object.entries(models))('runs an agent with the package for %s', async (_name, open) => {
    const agent = new Agent({ model: fromLanguageModel(await open()), tools: [add], instructions: 'Add.' })
    const result = await agent.run('What is 1 + 2?')
    expect(result.finalOutput).toBe('It is 3.')
    expect(result.messages).toMatchObject([
      { role: 'user', text: 'What is 1 + 2?' },
      { role: 'assistant', calls: [{ name: 'add', input: { a: 1, b: 2 } }] },
      { role: 'tool', results: [{ name: 'add', text: '3', outcome: 'success' }] },
      { role: 'assistant', text: 'It is 3.' },
    ])
    expect(result.usage).toEqual({ inputTokens: 20, outputTokens: 40 })
  })

  it.each(Object.entries(models))('streams text as it comes from the package for %s', async (_name, open) => {
    const model = fromLanguageModel(await open())
    const ask = async () => {
      const events = []
      const signal = new AbortController().signal
      for await (const event of model.stream({
        messages: [{ role: 'user', text: 'Hi' }],
        tools: [],
        signal,
      })) {
        events.push(event)
      }
      return events
    }
    const calls = (await ask()).filter(({ type }) => type === 'call')
    expect(calls).toMatchObject([{ name: 'add', input: expect.stringMatching(/"a":1.*"b":2/s) }])
    const texts = (await ask()).flatMap((event) => (event.type === 'text-delta' ? [event.text] : []))
    expect(texts.join('')).toBe('It is 3.')
  })
})
