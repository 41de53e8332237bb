import {
  Agent,
  type AgentOptions,
  ApprovalRequired,
  type ModelEvent,
  type RunError,
  type RunResult,
  type Tool,
  ToolRegistrationError,
} from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import { describe, expect, it } from 'vitest'
import { simple, untilStopped, wait } from '../execution/step-kit.ts'
import { collect, expectValidHistory } from './agent-kit.ts'
import { agentAfter, Ran, signal, stateOf, WatchedStore, waiting } from './run-kit.ts'

const closed = (name: string, input: unknown = {}): ModelEvent => ({
  type: 'call',
  name,
  input,
  closed: true,
})
const open = (name: string, input: unknown = {}): ModelEvent => ({ type: 'call', name, input })
const finish = (reason: 'tool-calls' | 'length' = 'tool-calls'): ModelEvent => ({ type: 'finish', reason })

/** A message that goes on for a while behind its calls. */
async function* slowly(
  calls: readonly ModelEvent[],
  lines: string[] = [],
  then: readonly ModelEvent[] = [finish()],
): AsyncGenerator<ModelEvent> {
  yield* calls
  await wait(30)
  lines.push('message')
  yield* then
}

/** Tools that write down that they run. */
function reading(name: string, lines: string[], options: Parameters<typeof simple>[2] = {}): Tool {
  const execute = () => {
    lines.push(name)
    return `of ${name}`
  }
  return simple(name, execute, { effect: 'none', ...options }) as unknown as Tool
}

/** The order of the starts and of the end of the message, and the result. */
async function order(
  calls: readonly ModelEvent[],
  tools: (lines: string[]) => readonly Tool[],
  options: Partial<AgentOptions> = {},
): Promise<{ readonly lines: readonly string[]; readonly result: RunResult }> {
  const lines: string[] = []
  const model = new ScriptedModel([{ events: slowly(calls, lines) }, 'done'])
  const agent = new Agent({ model, tools: tools(lines), eagerStart: true, ...options })
  const result = await agent.run('go')
  expectValidHistory(result.messages)
  return { lines, result }
}

const outcomes = ({ steps }: RunResult) => steps[0]?.results.map(({ outcome }) => outcome)

describe('eagerStart', () => {
  it('starts a closed call at once, while the model goes on, and keeps the results in call order', async () => {
    const started: string[] = []
    const named = (name: string, ms: number) => {
      const execute = () => {
        started.push(name)
        return wait(ms).then(() => `of ${name}`)
      }
      return simple(name, execute, { effect: 'none' }) as unknown as Tool
    }
    let startedBy: readonly string[] = []
    async function* says(): AsyncGenerator<ModelEvent> {
      yield { type: 'call-input-delta', key: '0', name: 'slow', text: '{}' }
      yield { ...closed('slow'), key: '0' } as ModelEvent
      yield closed('quick')
      // The next turn of the event loop: in less than 5 ms, however busy the machine is.
      await wait(0)
      startedBy = [...started]
      yield finish()
    }
    const model = new ScriptedModel([{ events: says() }, 'done'])
    const agent = new Agent({ model, tools: [named('slow', 60), named('quick', 0)], eagerStart: true })
    const { messages } = await agent.run('go')
    expect(startedBy).toEqual(['slow', 'quick'])
    expectValidHistory(messages)
    expect(messages[2]).toMatchObject({ results: [{ text: 'of slow' }, { text: 'of quick' }] })
  })

  it('is off unless it is asked for', async () => {
    const { lines } = await order([closed('a')], (all) => [reading('a', all)], { eagerStart: false })
    expect(lines).toEqual(['message', 'a'])
  })

  it.each<[string, Parameters<typeof simple>[2], Partial<AgentOptions>]>([
    ['has an effect', { effect: 'local' }, {}],
    ['does not declare that it has none', { effect: undefined as never }, {}],
    ['has an effect by its input', { effect: () => 'none' }, {}],
    ['is not parallel-safe', { parallelSafe: false }, {}],
    ['needs approval', { needsApproval: true }, { confirm: () => true }],
    ['needs approval for this input', { needsApproval: () => true }, { confirm: () => true }],
    ['shares a key with others', { concurrencyKey: () => 'k' }, {}],
    ['is beyond the calls of the run', {}, { limits: { maxToolCalls: 0 } }],
  ])('does not start a call whose tool %s', async (_why, options, more) => {
    const { lines } = await order([closed('a')], (all) => [reading('a', all, options)], more)
    expect(lines[0]).toBe('message')
  })

  it('does not start a call that its provider has not closed', async () => {
    const { lines } = await order([open('a'), closed('b')], (all) => [reading('a', all), reading('b', all)])
    expect(lines).toEqual(['b', 'message', 'a'])
  })

  it('does not start what stands behind a call that runs alone, and that waits for what started', async () => {
    const { lines, result } = await order([closed('a'), closed('alone'), closed('b')], (all) => [
      reading('a', all),
      reading('alone', all, { parallelSafe: false }),
      reading('b', all),
    ])
    expect(lines).toEqual(['a', 'message', 'alone', 'b'])
    expect(outcomes(result)).toEqual(['success', 'success', 'success'])
  })

  it('stays within the limits of the step, the run and the tool', async () => {
    const three = [closed('a'), closed('a'), closed('a')]
    const limited = async (options: Parameters<typeof simple>[2], limits: AgentOptions['limits'] = {}) => {
      const { lines, result } = await order(three, (all) => [reading('a', all, options)], { limits })
      expect(lines).toEqual(['a', 'a', 'message'])
      expect(outcomes(result)).toEqual(['success', 'success', 'limit'])
    }
    await limited({}, { maxCallsPerStep: 2 })
    await limited({}, { maxToolCalls: 2 })
    await limited({ maxCallsPerRun: 2 })
  })

  it('passes the same gate: permissions, middleware, the schema', async () => {
    const seen: string[] = []
    const number = new Ran().tool('number', { effect: 'none', parallelSafe: true })
    const { lines, result } = await order(
      [closed('a'), closed('denied'), closed('number', { n: 'no' }), closed('nobody')],
      (all) => [reading('a', all), reading('denied', all), number as unknown as Tool],
      {
        permissions: { deny: ['denied'] },
        middleware: [{ before: ({ name }) => void seen.push(name) }],
      },
    )
    expect(lines).toEqual(['a', 'message'])
    expect(outcomes(result)).toEqual(['success', 'not-allowed', 'invalid', 'unknown'])
    expect(seen).toEqual(['a', 'number'])
  })

  it('has one id and one of each event for a call', async () => {
    const lines: string[] = []
    const model = new ScriptedModel([{ events: slowly([closed('a')], lines) }, 'done'])
    const agent = new Agent({ model, tools: [reading('a', lines)], eagerStart: true })
    const events = await collect(agent.stream('go'))
    expect(events.map(({ type }) => type).slice(0, 6)).toEqual([
      'run-start',
      'step-start',
      'call',
      'call-started',
      'result',
      'step-end',
    ])
    expect(new Set(events.flatMap((event) => ('callId' in event ? [event.callId] : []))).size).toBe(1)
  })

  it('asks about a call that turns out to need it only once the message is whole', async () => {
    const lines: string[] = []
    const execute = (_input: object, { approval }: { readonly approval?: object }) => {
      if (approval === undefined) throw new ApprovalRequired('sure?')
      return 'approved'
    }
    const picky = simple('picky', execute as never, { effect: 'none' }) as unknown as Tool
    const model = new ScriptedModel([{ events: slowly([closed('picky')], lines) }, 'done'])
    const confirm = () => {
      lines.push('asked')
      return true
    }
    const result = await new Agent({ model, tools: [picky], confirm, eagerStart: true }).run('go')
    expect(lines).toEqual(['message', 'asked'])
    expect(result.messages[2]).toMatchObject({ results: [{ text: 'approved' }] })
  })

  it('joins a step that pauses, and does not run again when it is resumed', async () => {
    const ran = new Ran()
    const tools = [
      ran.tool('free', { effect: 'none', parallelSafe: true }),
      ran.tool('ask', { needsApproval: true, parallelSafe: true }),
    ]
    const store = new WatchedStore()
    const turn = { events: slowly([closed('free', { n: 1 }), closed('ask', { n: 2 })]) }
    const model = new ScriptedModel([turn])
    const paused = await new Agent({ model, tools, confirm: 'pause', eagerStart: true, store }).run('go')
    const [id = ''] = waiting(paused)
    const result = await agentAfter({ tools, store }).resume(stateOf(paused), { [id]: true })
    expect(ran.log).toEqual(['free 1', 'ask 2'])
    expect(outcomes(result)).toEqual(['success', 'success'])
  })
})

describe('eagerStart and a message that is not whole', () => {
  it('C15 leaves a call that started its true result when the message is cut off', async () => {
    const lines: string[] = []
    const calls = [closed('a'), open('b'), open('a', '{"path":"a')]
    const model = new ScriptedModel([{ events: slowly(calls, lines, [finish('length')]) }, 'done'])
    const tools = [reading('a', lines), reading('b', lines)]
    const result = await new Agent({ model, tools, eagerStart: true }).run('go')
    expect(outcomes(result)).toEqual(['success', 'cut-off', 'cut-off'])
    expectValidHistory(result.messages)
  })

  it.each(['abort', 'failure'])('C15 keeps calls that started, and no others, after an %s', async (how) => {
    const { reached, reach } = signal()
    const stuck = simple(
      'stuck',
      (input: object, context: { readonly signal: AbortSignal }) => {
        reach()
        return untilStopped(input, context)
      },
      { effect: 'none' },
    ) as unknown as Tool
    const lines: string[] = []
    const abort = new AbortController()
    async function* says(): AsyncGenerator<ModelEvent> {
      yield { type: 'reasoning-delta', text: 'hm', providerMetadata: { signature: 's' } }
      yield closed('a')
      yield closed('stuck')
      yield open('a')
      yield { type: 'reasoning-delta', text: 'and' }
      await reached
      await wait(5)
      if (how === 'failure') throw new Error('connection lost')
      abort.abort()
      await new Promise(() => {})
    }
    const model = new ScriptedModel([{ events: says() }])
    const agent = new Agent({ model, tools: [reading('a', lines), stuck], eagerStart: true })
    const failed: unknown = await agent.run('go', { signal: abort.signal }).catch((error: unknown) => error)
    const { result } = failed as RunError
    expect(outcomes(result)).toEqual(['success', 'cancelled'])
    expectValidHistory(result.messages)
    expect(result.messages[1]).toMatchObject({
      parts: [
        { type: 'reasoning', text: 'hm', providerMetadata: { signature: 's' } },
        { type: 'call' },
        { type: 'call' },
      ],
    })
    expect(lines).toEqual(['a'])
  })
})

describe('eagerStart with what stops calls that it starts', () => {
  it.each([{ failFast: true }, { endStrategy: 'early' }])('is refused: %j', (options) => {
    const make = () => new Agent({ model: new ScriptedModel([]), eagerStart: true, ...(options as object) })
    expect(make).toThrow(ToolRegistrationError)
  })
})
