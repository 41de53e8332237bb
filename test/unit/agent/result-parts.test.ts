import { Agent, type Message, type ResponsePart, type Tool, ToolResponse } from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import { describe, expect, it } from 'vitest'
import { simple } from '../execution/step-kit.ts'
import { calls, collect, play } from './agent-kit.ts'
import { agentAfter, agentFor, Ran, stateOf, waiting } from './run-kit.ts'

const bytes = new Uint8Array([0, 255, 128, 7])
const encoded = 'AP+ABw=='
const image = (data: unknown): ResponsePart => ({
  type: 'image',
  mediaType: 'image/png',
  data: data as Uint8Array,
  name: 'cat.png',
})

/** A tool that gives back these parts. */
function showing(...parts: readonly unknown[]): Tool {
  const execute = () => ToolResponse.ok('A picture.', { parts: parts as ResponsePart[] })
  return simple('show', execute, { effect: 'none' }) as unknown as Tool
}

async function resultOf(...parts: readonly unknown[]) {
  const { model } = await play([calls('show'), 'done'], { tools: [showing(...parts)] })
  return firstResult(model.requests[1]?.messages ?? [])
}

function firstResult(messages: readonly Message[]) {
  const message = messages.find(({ role }) => role === 'tool')
  return message?.role === 'tool' ? message.results[0] : undefined
}

describe('images and files of a result', () => {
  it.each([
    ['bytes', bytes],
    ['a part of a buffer', new Uint8Array([9, ...bytes, 9]).subarray(1, 5)],
    ['an ArrayBuffer', bytes.buffer],
    ['a Blob', new Blob([bytes])],
    ['an address', 'https://example.test/cat.png'],
  ])('reach the model as plain JSON, from %s', async (_kind, data) => {
    const result = await resultOf(image(data))
    const expected = typeof data === 'string' ? data : encoded
    expect(result?.parts).toEqual([
      { type: 'image', mediaType: 'image/png', data: expected, name: 'cat.png' },
    ])
    expect(result?.text).toBe('A picture.')
  })

  it('stay with the app when they are for it alone', async () => {
    const result = await resultOf({ ...image(bytes), appOnly: true }, { ...image(bytes), appOnly: false })
    expect(result?.parts).toHaveLength(1)
    expect(await resultOf({ ...image(bytes), appOnly: true })).not.toHaveProperty('parts')
  })

  it('may be large', async () => {
    const large = new Uint8Array(300_001).fill(65)
    const result = await resultOf(image(large))
    expect(atob(result?.parts?.[0]?.data ?? '')).toBe('A'.repeat(300_001))
  })

  it('become a line of text when they cannot be read', async () => {
    const gone = new Blob([bytes])
    gone.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotReadableError'))
    const result = await resultOf(image(gone), image(undefined), undefined)
    expect(result?.text).toBe(
      'A picture.\n[cat.png: could not be read]\n[cat.png: could not be read]\n[undefined: could not be read]',
    )
    expect(result).not.toHaveProperty('parts')
  })

  it('do not hold up an abort', async () => {
    const stuck = new Blob([bytes])
    const abort = new AbortController()
    stuck.arrayBuffer = () => {
      setTimeout(() => abort.abort())
      return new Promise(() => {})
    }
    const model = new ScriptedModel([calls('show')])
    const run = new Agent({ model, tools: [showing(image(stuck), image(bytes))] }).run('go', {
      signal: abort.signal,
    })
    await expect(run).rejects.toMatchObject({
      name: 'AbortError',
      result: { messages: [{}, {}, { results: [{ parts: [{ data: encoded }] }] }] },
    })
  })

  it('stay as they are for the app', async () => {
    const model = new ScriptedModel([calls('show'), 'done'])
    const events = await collect(new Agent({ model, tools: [showing(image(bytes))] }).stream('go'))
    const result = events.find((event) => event.type === 'result')
    expect(result).toMatchObject({ result: { response: { parts: [{ data: bytes }] } } })
  })

  it('D16 are there after a pause, JSON and a resume', async () => {
    const ask = new Ran().tool('ask', { needsApproval: true })
    const turn = [ScriptedModel.toolCall('show'), ScriptedModel.toolCall('ask', { n: 1 })]
    const tools = [showing(image(new Blob([bytes]))), ask]
    const paused = await agentFor(turn, { tools }).run('go')
    const [id = ''] = waiting(paused)
    const result = await agentAfter({ tools }).resume(stateOf(paused), { [id]: true })
    const data = `data:image/png;base64,${encoded}`
    expect(firstResult(result.messages)?.parts).toMatchObject([{ mediaType: 'image/png', data }])
    expect(result.steps[0]?.results[0]?.response.parts).toMatchObject([{ data }])
  })
})
