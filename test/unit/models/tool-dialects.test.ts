import { createGoogle } from '@ai-sdk/google'
import { Agent, type JsonObject, tool } from 'offstage'
import {
  type AnyLanguageModel,
  fromLanguageModel,
  type LanguageModelOptions,
  openAICompatible,
} from 'offstage/models'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import type { Message } from '../../../src/agent/message.ts'
import type { ModelAdapter } from '../../../src/agent/model-adapter.ts'
import type { ToolDefinition } from '../../../src/tool/tool-definition.ts'
import { collect } from '../../support/model-adapter-contract.ts'
import { callDelta, completion, delta, ModelServer } from '../../support/model-server.ts'
import { geminiAnswer, openGemini } from '../../support/provider-servers/gemini.ts'

const respond = {
  ...{ name: 'calendar.respondToEvent', description: 'Answers an invitation.' },
  inputSchema: {
    type: 'object',
    properties: { 'event id': { type: 'string' }, seats: { type: 'integer' } },
    required: ['event id'],
  },
} as unknown as ToolDefinition
const bad = { ...respond, name: 'bad', inputSchema: { type: 'array' } } as unknown as ToolDefinition
const history: readonly Message[] = [
  { role: 'user', text: 'Yes to it.' },
  { role: 'assistant', text: '', calls: [{ id: 'a', name: respond.name, input: { 'event id': 'e1' } }] },
  { role: 'tool', results: [{ callId: 'a', name: respond.name, text: 'done', outcome: 'success' }] },
]

/** What a server was sent, and what came of its call. */
async function asked(argument: string, options: object = {}) {
  const server = await ModelServer.start()
  const name = 'calendar_respondToEvent'
  server.reply(completion([callDelta({ index: 0, id: 'c1', name, arguments: argument })], 'tool_calls'))
  const model = openAICompatible({ baseURL: server.baseURL, model: 'm', maxRetries: 0, ...options })
  const events = await collect(model, { messages: history, tools: [respond] })
  return { events, call: events.find(({ type }) => type === 'call'), body: server.requests[0]?.body }
}

describe('the tools of openAICompatible', () => {
  it('A18 have names that the server takes, in tools and history, and calls come back with their own', async () => {
    const { body, events, call } = await asked('{"event id":"e2"}')
    expect(body?.tools).toMatchObject([{ function: { name: 'calendar_respondToEvent' } }])
    expect(body?.messages[1]).toMatchObject({
      tool_calls: [{ function: { name: 'calendar_respondToEvent', arguments: '{"event id":"e1"}' } }],
    })
    expect(call).toMatchObject({ name: 'calendar.respondToEvent', input: '{"event id":"e2"}' })
    const told = events.filter(({ type }) => type === 'call-input-delta')
    expect(told).toMatchObject([{ name: 'calendar.respondToEvent' }])
  })

  it('A16 have keys of the dialect, in tools and history, and arguments come back with their own', async () => {
    const { body, call } = await asked('{"event_id":"e2","seats":12345678901234567890}', {
      dialect: 'anthropic',
    })
    expect(body?.tools).toMatchObject([{ function: { parameters: { properties: { event_id: {} } } } }])
    expect(body?.messages[1]).toMatchObject({
      tool_calls: [{ function: { arguments: '{"event_id":"e1"}' } }],
    })
    // All digits: whether they fit is judged later.
    expect(call).toMatchObject({ input: '{"event id":"e2","seats":12345678901234567890}' })
  })

  it('leave arguments that are no JSON as they came', async () => {
    const { call } = await asked('{"event_id":"e2', { dialect: 'anthropic' })
    expect(call).toMatchObject({ input: '{"event_id":"e2' })
  })

  it('A25 are sent without one that cannot be, and the app is told why, once', async () => {
    const server = await ModelServer.start()
    server.reply(completion([delta({ content: 'Hi.' })]), completion([delta({ content: 'Hi.' })]))
    const told: string[] = []
    const model = openAICompatible({
      ...{ baseURL: server.baseURL, model: 'm', maxRetries: 0 },
      onSetAside: ({ name, reason }) => told.push(`${name}: ${reason}`),
    })
    const tools = [respond, bad]
    await collect(model, { tools })
    await collect(model, { tools })
    expect(server.requests[1]?.body.tools).toHaveLength(1)
    expect(told).toEqual([expect.stringMatching(/^bad: .*root must be an object/)])
  })

  it('A01 are strict when the app wants it, and null stands for absent', async () => {
    const server = await ModelServer.start()
    const given = '{"city":"Oslo","days":null}'
    server.reply(
      completion([callDelta({ index: 0, id: 'c1', name: 'look', arguments: given })], 'tool_calls'),
      completion([delta({ content: 'Sun.' })]),
    )
    const seen: unknown[] = []
    const look = tool({
      ...{ name: 'look', description: 'Looks.' },
      inputSchema: v.object({ city: v.string(), days: v.optional(v.number(), 3) }),
      execute: (input) => void seen.push(input),
    })
    const model = openAICompatible({ baseURL: server.baseURL, model: 'm', maxRetries: 0, strict: true })
    const result = await new Agent({ model, tools: [look] }).run('Weather?')
    expect(result.finalOutput).toBe('Sun.')
    expect(seen).toEqual([{ city: 'Oslo', days: 3 }])
    expect(server.requests[0]?.body.tools).toMatchObject([
      { function: { strict: true, parameters: { required: ['city', 'days'], additionalProperties: false } } },
    ])
    // The same in every request: what comes before is read from the server's cache.
    expect(server.requests[1]?.body.tools).toEqual(server.requests[0]?.body.tools)
  })

  it('are written once, however many requests and lists they are in', async () => {
    const server = await ModelServer.start()
    server.reply(...[1, 2, 3].map(() => completion([delta({ content: 'Hi.' })])))
    let reads = 0
    const counted = {
      ...{ name: 'counted', description: 'Counts.' },
      get inputSchema() {
        reads += 1
        return { type: 'object', properties: {} }
      },
    } as unknown as ToolDefinition
    const model = openAICompatible({ baseURL: server.baseURL, model: 'm', maxRetries: 0 })
    const tools = [counted]
    for (const list of [tools, tools, [respond, counted]]) await collect(model, { tools: list })
    expect(server.requests[2]?.body.tools).toHaveLength(2)
    expect(reads).toBe(1)
  })

  it('take no dialect that does not exist', () => {
    const options = { baseURL: 'http://127.0.0.1:1/v1', model: 'm', dialect: 'gpt' as never }
    expect(() => openAICompatible(options)).toThrow('dialect must be "openai", "anthropic" or "gemini"')
  })
})

/** The tools that a model of the AI SDK is called with, and what it said. */
async function called(provider: string, options?: LanguageModelOptions, modelId = 'one') {
  const calls: {
    tools: { inputSchema: JsonObject; name: string; strict?: boolean; description: string }[]
  }[] = []
  const model: AnyLanguageModel = {
    ...{ specificationVersion: 'v4', provider, modelId, supportedUrls: {} },
    doStream: async (call) => {
      calls.push(call as never)
      return {
        stream: new ReadableStream({
          start: (controller) => {
            const input = '{"event_id":"e2"}'
            controller.enqueue({
              type: 'tool-call',
              toolCallId: 'c1',
              toolName: 'calendar_respondToEvent',
              input,
            })
            controller.enqueue({ type: 'finish', finishReason: { unified: 'tool-calls' }, usage: {} })
            controller.close()
          },
        }),
      }
    },
  }
  const adapter: ModelAdapter = fromLanguageModel(model, options)
  const events = await collect(adapter, { messages: history, tools: [respond] })
  return { tool: calls[0]?.tools[0], events, call: calls[0] as unknown as { prompt: object[] } }
}

describe('the tools of fromLanguageModel', () => {
  it.each([
    ['anthropic.messages', 'one', ['event_id', 'seats']],
    ['amazon-bedrock', 'one', ['event_id', 'seats']],
    ['google.generative-ai', 'one', ['event_id', 'seats']],
    ['gateway', 'anthropic/claude-sonnet-5', ['event_id', 'seats']],
    ['openai.responses', 'one', ['event id', 'seats']],
    ['mistral.chat', 'one', ['event id', 'seats']],
  ])('are written as %s takes them (%s)', async (provider, modelId, keys) => {
    const { tool: sent } = await called(provider, {}, modelId)
    expect(Object.keys(Object(sent?.inputSchema.properties))).toEqual(keys)
    expect(sent).not.toHaveProperty('strict')
  })

  it('A16 A18 have names and keys mapped back, and mapped in the history', async () => {
    const { events, call } = await called('anthropic.messages')
    expect(events[0]).toMatchObject({ name: 'calendar.respondToEvent', input: '{"event id":"e2"}' })
    expect(call.prompt.slice(1)).toMatchObject([
      { content: [{ toolName: 'calendar_respondToEvent', input: { event_id: 'e1' } }] },
      { content: [{ toolName: 'calendar_respondToEvent' }] },
    ])
  })

  it('are strict, and of another dialect, when the app wants it', async () => {
    const { tool: sent } = await called('proxy', { dialect: 'anthropic', strict: true })
    expect(sent).toMatchObject({ strict: true, inputSchema: { additionalProperties: false } })
    expect(() =>
      fromLanguageModel({ specificationVersion: 'v4', doStream: () => {} } as never, {
        dialect: 'x' as never,
      }),
    ).toThrow('dialect must be')
  })

  it('A13 have results that Gemini takes for text, whatever they say', async () => {
    const schema = {
      parameters: { $defs: { X: { type: 'string' } }, properties: { x: { $ref: '#/$defs/X' } } },
    }
    const { url, requests } = await openGemini(
      [geminiAnswer([{ functionCall: { name: 'describe', args: {} } }]), geminiAnswer([{ text: 'Seen.' }])],
      [],
    )
    const describeIt = tool({
      name: 'describe',
      description: 'A schema.',
      effect: 'none',
      execute: () => schema,
    })
    const model = fromLanguageModel(createGoogle({ apiKey: 'k', baseURL: url })('gemini-2.5-flash'))
    expect((await new Agent({ model, tools: [describeIt] }).run('Which schema?')).finalOutput).toBe('Seen.')
    const { functionResponse } = requests[1]?.body.contents.at(-1)?.parts[0] ?? {}
    expect(functionResponse).toMatchObject({ response: { content: JSON.stringify(schema) } })
  })
})
