import {
  Agent,
  type AgentEvent,
  combined,
  dynamic,
  ModelRetry,
  type RunError,
  type SourceNote,
  type StepContext,
  selectTools,
  type Tool,
  type ToolSource,
  Toolset,
} from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import { describe, expect, it, vi } from 'vitest'
import { simple, untilStopped, wait } from '../execution/step-kit.ts'
import { sourceOf } from '../toolset/sources.ts'
import { always, calls, collect, offeredBy, outcomesOf, play } from './agent-kit.ts'

const a = simple('a', () => 'of a') as unknown as Tool
const b = simple('b', () => 'of b') as unknown as Tool

function notesOf(events: readonly AgentEvent[]): (readonly SourceNote[])[] {
  return events.flatMap((event) => (event.type === 'step-start' ? [event.notes] : []))
}

/** A source with an instance for each run and each step, which write down when they are made and closed. */
function watched(tools: readonly Tool[], log: string[] = [], onList = async (_step?: number) => {}) {
  const base = new Toolset(tools)
  const instance = (name: string, context: StepContext): ToolSource => ({
    ...methodsOf(base),
    list: async () => {
      await onList(context.step)
      return base.list()
    },
    forStep: (step) => {
      log.push(`+step ${step.step}`)
      return { ...instance(`step ${step.step}`, step), forStep: undefined as never }
    },
    close: async () => void log.push(`-${name}`),
  })
  const source: ToolSource = {
    ...methodsOf(base),
    forRun: (context) => {
      log.push('+run')
      return instance('run', context)
    },
    close: async () => void log.push('-source'),
  }
  return { source, log }
}

function methodsOf(base: ToolSource): ToolSource {
  return {
    reportsStart: true,
    list: () => base.list(),
    preflight: (...given) => base.preflight(...given),
    call: (...given) => base.call(...given),
  }
}

describe('the instances of a source', () => {
  it('are made for each run and each step, and closed behind them', async () => {
    const { source, log } = watched([a])
    const agent = new Agent({ model: new ScriptedModel([calls('a'), 'done']), tools: [source] })
    await agent.run('go')
    expect(log).toEqual(['+run', '+step 1', '-step 1', '+step 2', '-step 2', '-run'])
    await agent.close()
    expect(log.at(-1)).toBe('-source')
  })

  it('are closed also beside other sources', async () => {
    const { source, log } = watched([a])
    await play([calls('a', 'b'), 'done'], { tools: [source, b] })
    expect(log).toEqual(['+run', '+step 1', '-step 1', '+step 2', '-step 2', '-run'])
  })

  it('are closed when the run is aborted, in the model or in a call', async () => {
    const abort = { now: () => {} }
    const stuck = simple('stuck', (input: unknown, context: { signal: AbortSignal }) => {
      abort.now()
      return untilStopped(input, context)
    }) as unknown as Tool
    const inModel = () => {
      abort.now()
      return 'never'
    }
    for (const turn of [calls('stuck'), inModel]) {
      const { source, log } = watched([stuck])
      const controller = new AbortController()
      abort.now = () => controller.abort()
      const failed: unknown = await new Agent({ model: new ScriptedModel([turn]), tools: [source] })
        .run('go', { signal: controller.signal })
        .catch((error: unknown) => error)
      expect(failed).toMatchObject({ name: 'AbortError' })
      expect(log).toEqual(['+run', '+step 1', '-step 1', '-run'])
    }
  })

  it('are closed when the model fails, and when a list does', async () => {
    const ofModel = watched([a])
    await expect(
      new Agent({ model: new ScriptedModel([]), tools: [ofModel.source] }).run('go'),
    ).rejects.toThrow()
    expect(ofModel.log).toEqual(['+run', '+step 1', '-step 1', '-run'])
    const ofList = watched([a], [], async (step) => {
      if (step === 2) throw new Error('gone')
    })
    const agent = new Agent({ model: new ScriptedModel([calls('a')]), tools: [ofList.source] })
    const failed: unknown = await agent.run('go').catch((error: unknown) => error)
    expect(failed).toMatchObject({
      name: 'RunError',
      message: expect.stringContaining('Step 2 failed: gone'),
    })
    expect((failed as RunError).result.steps).toHaveLength(1)
    expect(ofList.log).toEqual(['+run', '+step 1', '-step 1', '+step 2', '-step 2', '-run'])
  })

  it('are closed when a limit ends the run, or the reader of its events leaves', async () => {
    const limited = watched([a])
    await new Agent({ model: always(calls('a')), tools: [limited.source], limits: { maxSteps: 1 } }).run('go')
    expect(limited.log).toEqual(['+run', '+step 1', '-step 1', '+step 2', '-step 2', '-run'])
    const left = watched([a])
    const agent = new Agent({ model: always(calls('a')), tools: [left.source] })
    for await (const event of agent.stream('go')) if (event.type === 'result') break
    // It may have come to the second step by then.
    expect(left.log.at(-1)).toBe('-run')
    expect(left.log.filter((line) => line.startsWith('-'))).toHaveLength(left.log.length / 2)
  })

  it('that are made too slowly do not keep an aborted run, and are closed once they are there', async () => {
    const { source, log } = watched([a])
    const model = new ScriptedModel([calls('a')])
    const slow: ToolSource = {
      ...source,
      forRun: (context) => wait(400).then(() => source.forRun?.(context) as ToolSource),
    }
    const failed: unknown = await new Agent({ model, tools: [slow] })
      .run('go', { signal: AbortSignal.timeout(15) })
      .catch((error: unknown) => error)
    expect(log).toEqual([])
    expect(failed).toMatchObject({ name: 'AbortError' })
    expect(model.requests).toHaveLength(0)
    await vi.waitFor(() => expect(log).toEqual(['+run', '-run']))
  })

  it('that never come do not keep a run beyond its deadline', async () => {
    const { source, log } = watched([a], [], (step) =>
      step === 2 ? new Promise(() => {}) : Promise.resolve(),
    )
    const agent = new Agent({ model: always(calls('a')), tools: [source], limits: { deadlineMs: 400 } })
    const result = await agent.run('go')
    expect(result).toMatchObject({ status: 'stopped', finishReason: 'deadline' })
    expect(outcomesOf(result)).toEqual([['success']])
    expect(log.at(-1)).toBe('-run')
  })

  it('that cannot be closed do not cost the run its answer, and the app hears of it', async () => {
    const errors: unknown[] = []
    const heard = (error: unknown) => void errors.push(error)
    const others = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException').on('uncaughtException', heard)
    try {
      const broken = dynamic(
        () => ({ ...methodsOf(new Toolset([a])), close: () => Promise.reject(new Error('cannot close')) }),
        { closes: true },
      )
      const { result } = await play(['done'], { tools: [broken] })
      expect(result.finalOutput).toBe('done')
      await vi.waitFor(() => expect(errors).toMatchObject([{ message: 'cannot close' }]))
    } finally {
      process.removeAllListeners('uncaughtException')
      for (const listener of others) process.on('uncaughtException', listener)
    }
  })
})

describe('the start of a step', () => {
  it('tells what is not offered and why', async () => {
    const images = simple('images', () => 'ok', { requires: ['images'] }) as unknown as Tool
    const [one, two] = ['one', 'two'].map(
      (name) => simple(name, () => name, { exclusiveGroup: 'g' }) as unknown as Tool,
    )
    const hidden = selectTools(new Toolset([b]), { select: () => 'not in this session' })
    const model = Object.assign(new ScriptedModel(['done']), { capabilities: [] })
    const tools = [a, images, one, two, hidden, sourceOf('secret')] as never
    const agent = new Agent({ model, tools, permissions: { deny: ['secret'] } })
    const events = await collect(agent.stream('go'))
    expect(offeredBy(model)).toEqual([['a', 'one']])
    expect(events[1]).toMatchObject({ type: 'step-start', tools: ['a', 'one'] })
    expect(notesOf(events)[0]).toEqual(
      expect.arrayContaining([
        { kind: 'dropped', tool: 'b', reason: 'not in this session' },
        { kind: 'dropped', tool: 'images', reason: expect.stringContaining('not capable of "images"') },
        { kind: 'dropped', tool: 'two', reason: expect.stringContaining('"one" is offered') },
        { kind: 'dropped', tool: 'secret', reason: '"secret" is on the deny list' },
      ]),
    )
    expect(notesOf(events)[0]).toHaveLength(4)
  })

  it('tells of a source that failed, and the others are used', async () => {
    const dead = { isDead: true }
    const mail: ToolSource = {
      ...methodsOf(new Toolset([simple('m', () => 'ok') as unknown as Tool])),
      label: 'the mail server',
    }
    const { list } = mail
    mail.list = async () => {
      if (dead.isDead) throw new Error('no answer')
      return list()
    }
    const tools = [combined([sourceOf('a'), mail], { onSourceError: 'skip' })]
    const model = new ScriptedModel([
      calls('a'),
      () => {
        dead.isDead = false
        return calls('a')
      },
      'done',
    ])
    const events = await collect(new Agent({ model, tools }).stream('go'))
    const failed = { kind: 'failed', source: 'the mail server', message: 'no answer' }
    expect(notesOf(events)).toEqual([[failed], [failed], []])
    expect(offeredBy(model)).toEqual([['a'], ['a'], ['a', 'm']])
    const told = expect.stringMatching(/cannot be reached now.*the mail server/)
    expect(model.requests.map(({ instructions }) => instructions)).toEqual([told, told, undefined])
  })

  it('tells of names on the deny list that are not there while they may yet come, and refuses them else', async () => {
    const permissions = { deny: ['zap'] }
    const changing = dynamic(() => [a])
    const model = new ScriptedModel(['done'])
    const events = await collect(new Agent({ model, tools: [changing], permissions }).stream('go'))
    expect(notesOf(events)).toEqual([[{ kind: 'unknown-name', list: 'permissions.deny', name: 'zap' }]])
    const fixed = new Agent({ model: new ScriptedModel([]), tools: [a], permissions })
    await expect(fixed.run('go')).rejects.toThrow('permissions.deny: there is no tool "zap"')
  })
})

describe('what a step offers', () => {
  it('P35 is looked at anew: a tool that was replaced is the new one from the next step on', async () => {
    let current: Tool[] = [a]
    const model = new ScriptedModel([
      () => {
        current = [simple('a', () => 'of the new a') as unknown as Tool]
        return calls('a')
      },
      calls('a'),
      'done',
    ])
    const { steps } = await new Agent({ model, tools: [dynamic(() => current, { per: 'step' })] }).run('go')
    expect(steps.flatMap(({ results }) => results.map(({ response }) => response.text))).toEqual([
      'of a',
      'of the new a',
    ])
  })

  it('S13 is all that an answer about an unknown name lists', async () => {
    const names = Array.from({ length: 40 }, (_item, index) => `hidden_${index}`)
    const hidden = names.map((name) => simple(name, () => 'ok') as unknown as Tool)
    const textOf = async (options: object) => {
      const { result } = await play([calls('hidden_41'), 'done'], { tools: [], ...options })
      return result.steps[0]?.results[0]?.response.text ?? ''
    }
    const texts = await Promise.all([
      textOf({ tools: [a, ...hidden], permissions: { allow: ['a'] } }),
      textOf({ tools: [a, ...hidden], permissions: { deny: names } }),
      textOf({ tools: [a, new Toolset(hidden).filtered(() => false)] }),
      textOf({ tools: [a, selectTools(new Toolset(hidden), { select: () => false })] }),
    ])
    for (const text of texts) {
      expect(text).toBe('There is no tool named "hidden_41". Available tools: a.')
    }
  })

  it('S13 is told of in part when it is much, with the closest name', async () => {
    const many = Array.from(
      { length: 40 },
      (_item, index) => simple(`tool_${index}`, () => 'ok') as unknown as Tool,
    )
    const { result } = await play([calls('tool39'), 'done'], { tools: many })
    const text = result.steps[0]?.results[0]?.response.text ?? ''
    expect(text).toContain('Did you mean "tool_39"?')
    expect(text.match(/tool_\d+/g)).toHaveLength(21)
  })

  it('a tool that is closed is not among the names that are listed', async () => {
    const edit = simple(
      'edit',
      () => {
        throw new ModelRetry('again')
      },
      { maxRetries: 0 },
    ) as unknown as Tool
    const { result } = await play([calls('edit'), calls('nobody'), 'done'], { tools: [a, edit] })
    expect(result.steps[1]?.results[0]?.response.text).toContain('Available tools: a.')
  })

  it('a call of what was dropped in this step is one of an unknown name', async () => {
    const [one, two] = ['one', 'two'].map(
      (name) => simple(name, () => name, { exclusiveGroup: 'g' }) as unknown as Tool,
    )
    const { result } = await play([calls('one', 'two'), 'done'], { tools: [one, two] as never })
    expect(outcomesOf(result)).toEqual([['success', 'unknown']])
  })
})
