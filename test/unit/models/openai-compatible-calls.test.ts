import { Agent, tool } from 'offstage'
import { openAICompatible } from 'offstage/models'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import {
  type CallPiece,
  callDelta,
  completion,
  delta,
  events,
  ModelServer,
  type Reply,
} from '../../support/model-server.ts'

/** A tool that takes anything and writes down what it ran with. */
function recorder(name: string, log: string[]) {
  return tool({
    ...{ name, description: `The tool ${name}.`, inputSchema: v.looseObject({}), needsApproval: false },
    execute: (input) => {
      log.push(`${name} ${JSON.stringify(input)}`)
      return 'done'
    },
  })
}

/** What runs when a model answers so, then says that it is done. */
async function ran(reply: Reply, ...names: readonly string[]) {
  const server = await ModelServer.start()
  server.reply(reply, completion([delta({ content: 'Done.' })]))
  const log: string[] = []
  const model = openAICompatible({ baseURL: server.baseURL, model: 'm', maxRetries: 0 })
  const agent = new Agent({ model, tools: names.map((name) => recorder(name, log)) })
  const result = await agent.run('Go.')
  expect(result.finalOutput).toBe('Done.')
  return { log, result, server }
}

const play = (pieces: readonly CallPiece[], finish = 'tool_calls') =>
  completion(pieces.map(callDelta), finish)

describe('the pieces of calls', () => {
  it('C01 on one index are told apart by their ids', async () => {
    const reply = play([
      { index: 0, id: 'c1', name: 'add_task', arguments: '{"title":"A"}' },
      { index: 0, id: 'c2', name: 'add_task', arguments: '{"title":"B"}' },
    ])
    const { log, server } = await ran(reply, 'add_task')
    expect(log).toEqual(['add_task {"title":"A"}', 'add_task {"title":"B"}'])
    expect(idsSent(server)).toEqual(['c1', 'c2'])
  })

  it('C01 on one index go to the call whose id they bear', async () => {
    const reply = play([
      { index: 0, id: 'c1', name: 'f', arguments: '{"x":' },
      { index: 0, id: 'c2', name: 'g', arguments: '{"y":' },
      { index: 0, id: 'c1', arguments: '1}' },
      { index: 0, id: 'c2', arguments: '2}' },
    ])
    expect((await ran(reply, 'f', 'g')).log).toEqual(['f {"x":1}', 'g {"y":2}'])
  })

  it('C01 on one index may bear one name, and begin before the arguments of any came', async () => {
    const reply = play([
      { index: 0, id: 'c1', name: 'f', arguments: '' },
      { index: 0, id: 'c2', name: 'f', arguments: '' },
      { index: 0, id: 'c1', arguments: '{"x":1}' },
      { index: 0, id: 'c2', arguments: '{"x":2}' },
    ])
    expect((await ran(reply, 'f')).log).toEqual(['f {"x":1}', 'f {"x":2}'])
  })

  it('C03 that interleave are put together by their index', async () => {
    const reply = play([
      { index: 0, id: 'a', name: 'f', arguments: '{"x":' },
      { index: 1, id: 'b', name: 'g', arguments: '{"y":' },
      { index: 0, arguments: '1}' },
      { index: 1, arguments: '2}' },
    ])
    const { log, server } = await ran(reply, 'f', 'g')
    expect(log).toEqual(['f {"x":1}', 'g {"y":2}'])
    expect(idsSent(server)).toEqual(['a', 'b'])
  })

  it('C05 may begin with an empty name', async () => {
    const reply = play([
      { index: 0, id: 'x', name: '', arguments: '' },
      { index: 0, id: 'x', name: 'bash', arguments: '{"c":"ls"}' },
    ])
    expect((await ran(reply, 'bash')).log).toEqual(['bash {"c":"ls"}'])
  })

  it.each([
    ['with every piece', ['write_file', 'write_file', 'write_file']],
    ['in two parts', ['write_', 'file', '']],
    ['in parts that grow', ['write', 'write_file', 'write_file']],
  ])('C06 may bear the name %s', async (_how, names) => {
    const texts = ['', '', '{"path":"a"}']
    const reply = play(names.map((name, at) => ({ index: 0, id: 'w', name, arguments: texts[at] ?? '' })))
    expect((await ran(reply, 'write_file')).log).toEqual(['write_file {"path":"a"}'])
  })

  it('C06 may bear the name with every piece of the arguments', async () => {
    const texts = ['{"path"', ':"a', '"}']
    const reply = play(texts.map((text) => ({ index: 0, id: 'w', name: 'write_file', arguments: text })))
    expect((await ran(reply, 'write_file')).log).toEqual(['write_file {"path":"a"}'])
  })

  it('C08 count although the finish reason is "stop"', async () => {
    const reply = play([{ index: 0, id: 'a', name: 'f', arguments: '{"x":1}' }], 'stop')
    expect((await ran(reply, 'f')).log).toEqual(['f {"x":1}'])
  })

  it('C10 may lack the arguments', async () => {
    const { log } = await ran(play([{ index: 0, id: 'c1', name: 'advisor' }]), 'advisor')
    expect(log).toEqual(['advisor {}'])
  })

  it('B11 may hold empty arguments', async () => {
    expect((await ran(play([{ index: 0, id: 'c1', name: 'f', arguments: '' }]), 'f')).log).toEqual(['f {}'])
  })

  it('C11 stand between chunks that hold the usage alone', async () => {
    const usage = { prompt_tokens: 5, completion_tokens: 3 }
    const reply = {
      pieces: events(
        { choices: [], usage },
        callDelta({ index: 0, id: 'a', name: 'f', arguments: '{"x":' }),
        { choices: null },
        { usage },
        callDelta({ index: 0, arguments: '1}' }),
        delta({}, 'tool_calls'),
        { choices: [], usage: { prompt_tokens: 8, completion_tokens: 4 } },
        '[DONE]',
      ),
    }
    const { log, result } = await ran(reply, 'f')
    expect(log).toEqual(['f {"x":1}'])
    expect(result.usage).toEqual({ inputTokens: 8, outputTokens: 4 })
  })

  it('C16 may be cut inside a character and inside a key', async () => {
    const text = JSON.stringify({
      choices: [
        { delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":"é"}' } }] } },
      ],
    })
    const bytes = new TextEncoder().encode(`data: ${text}\n\ndata: [DONE]\n\n`)
    const accent = bytes.indexOf(0xc3) + 1
    const key = Buffer.from(bytes).indexOf('arguments') + 4
    const cuts = [0, key, accent, bytes.length]
    const pieces = cuts.slice(1).map((end, at) => bytes.subarray(cuts[at], end))
    expect((await ran({ pieces }, 'f')).log).toEqual(['f {"x":"é"}'])
  })

  it('of a new id each, as LM Studio and Kimi send them, are one call', async () => {
    const reply = play([
      { index: 0, id: 'tool_OEUd', name: 'f', arguments: '' },
      { index: 0, id: 'tool_Cfy6', arguments: '{"x' },
      { index: 0, id: 'tool_dR9g', name: '', arguments: '":1}' },
    ])
    const { log, server } = await ran(reply, 'f')
    expect(log).toEqual(['f {"x":1}'])
    expect(idsSent(server)).toEqual(['tool_OEUd'])
  })

  it('without an index or an id are new calls where the call before is whole', async () => {
    const reply = play([
      { name: 'f', arguments: '{"x":1}' },
      { name: 'f', arguments: '{"x":2}' },
      { name: 'g', arguments: '{"y":3}' },
    ])
    expect((await ran(reply, 'f', 'g')).log).toEqual(['f {"x":1}', 'f {"x":2}', 'g {"y":3}'])
  })

  it('that come once more as a whole call count once', async () => {
    const reply = play([
      { index: 0, id: 'a', name: 'f', arguments: '{"x":' },
      { index: 0, arguments: '1}' },
      { index: 0, id: 'a', name: 'f', arguments: '{"x":1}' },
    ])
    expect((await ran(reply, 'f')).log).toEqual(['f {"x":1}'])
  })

  it('may hold arguments that are an object', async () => {
    const call = { id: 'a', function: { name: 'f', arguments: { x: 1 } } }
    expect((await ran(completion([delta({ tool_calls: [call] })]), 'f')).log).toEqual(['f {"x":1}'])
  })

  it('do not run when the name never came, and the model is told', async () => {
    const { log, result } = await ran(play([{ index: 0, id: 'a', arguments: '{"x":1}' }]), 'f')
    expect(log).toEqual([])
    expect(result.steps[0]?.results.map(({ outcome }) => outcome)).toEqual(['unknown'])
  })
})

describe('an answer that is cut inside its second call', () => {
  const pieces = events(
    callDelta({ index: 0, id: 'a', name: 'read', arguments: '{"path":"b"}' }),
    callDelta({ index: 1, id: 'b', name: 'read', arguments: '{"path":"a' }),
  )

  it.each([
    ['by its finish reason', { pieces: [...pieces, ...events(delta({}, 'length'), '[DONE]')] }],
    ['by its end', { pieces }],
    ['inside a chunk', { pieces: [...pieces, 'data: {"choices":[{"delta":{"content":"A'] }],
  ])('C15 %s runs none of its calls, and each has a result', async (_how, reply) => {
    const { log, result } = await ran(reply, 'read')
    expect(log).toEqual([])
    expect(result.steps[0]?.results).toHaveLength(2)
    expect(result.steps[0]?.results.map(({ outcome }) => outcome)).not.toContain('success')
  })

  it('C15 by a broken connection is an error, and nothing ran', async () => {
    await expect(ran({ pieces, end: 'break' }, 'read')).rejects.toThrow(/broke off/)
  })

  it('C15 by the end marker alone is whole: its server sends no finish reason', async () => {
    const [whole = ''] = pieces
    expect((await ran({ pieces: [whole, ...events('[DONE]')] }, 'read')).log).toEqual(['read {"path":"b"}'])
  })
})

describe('the ids of calls', () => {
  it('B20 differ over the whole conversation, whatever the provider sends', async () => {
    const server = await ModelServer.start()
    const model = openAICompatible({ baseURL: server.baseURL, model: 'm', maxRetries: 0 })
    const agent = new Agent({ model, tools: [recorder('read', [])] })
    server.reply(
      play([
        { index: 0, id: '', name: 'read', arguments: '{"n":1}' },
        { index: 1, id: '', name: 'read', arguments: '{"n":2}' },
      ]),
      completion([delta({ content: 'One.' })]),
      play([{ index: 0, id: null, name: 'read', arguments: '{"n":3}' }]),
      play([{ index: 0, id: 'call_0', name: 'read', arguments: '{"n":4}' }]),
      play([{ index: 0, id: 'call_0', name: 'read', arguments: '{"n":5}' }]),
      completion([delta({ content: 'Two.' })]),
    )
    const { messages } = await agent.run('Read.')
    await agent.run('Again.', { messages })
    const ids = idsSent(server)
    expect(ids).toHaveLength(5)
    expect(new Set(ids).size).toBe(5)
    expect(ids[3]).toBe('call_0')
    expect(ids).not.toContain('read')
  })

  it('D11 have nine letters and digits where they must, for call and result alike', async () => {
    const server = await ModelServer.start()
    const options = { baseURL: server.baseURL, model: 'm', maxRetries: 0, shortCallIds: true }
    const ids = ['2968-LWy3uasib', 'toolu_01abc', 'functions.eval:301', 'aB3dE6gH9']
    server.reply(
      play(ids.map((id, index) => ({ index, id, name: 'read', arguments: '{}' }))),
      completion([delta({ content: 'Done.' })]),
    )
    await new Agent({ model: openAICompatible(options), tools: [recorder('read', [])] }).run('Read.')
    const sent = idsSent(server)
    expect(sent).toHaveLength(4)
    for (const id of sent) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/)
    expect(sent[3]).toBe('aB3dE6gH9')
  })
})

/** The ids of all calls in the last request. */
function idsSent({ requests }: ModelServer): string[] {
  const calls = requests
    .at(-1)
    ?.body.messages.flatMap(({ tool_calls: list = [] }) => list as { id: string }[])
  return calls?.map(({ id }) => id) ?? []
}
