import {
  type ApprovalDecision,
  type ApprovalRequest,
  ApprovalRequired,
  type ExecutionEvent,
  ToolExecutor,
  ToolRegistry,
  tool,
} from 'offstage'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'

function payTool(execute = vi.fn(({ amount }: { amount: number }): unknown => `paid ${amount}`)) {
  const pay = tool({
    name: 'pay',
    description: 'Pay somebody.',
    inputSchema: v.object({ amount: v.pipe(v.number(), v.maxValue(100)) }),
    needsApproval: true,
    execute: (input) => execute(input),
  })
  return { pay, execute }
}

async function answered(decision: unknown, input: object = { amount: 5 }) {
  const { pay, execute } = payTool()
  const executor = new ToolExecutor({ tools: [pay], confirm: () => decision as ApprovalDecision })
  return { result: await executor.execute({ name: 'pay', input }), execute }
}

describe('a call that needs approval', () => {
  it.each([[true], [{ approved: true }]])('runs after %j', async (decision) => {
    const { result, execute } = await answered(decision)
    expect(result).toMatchObject({
      outcome: 'success',
      approval: { approved: true },
      approvedInput: { amount: 5 },
    })
    expect(execute).toHaveBeenCalledOnce()
  })

  it.each([
    [false],
    [undefined],
    [null],
    [1],
    ['yes'],
    ['true'],
    [{}],
    [{ approved: 'true' }],
    [{ approved: 1 }],
    [[true]],
    [{ approved: true, remember: 'always' }],
    [{ approved: true, unknownKey: 1 }],
  ])('does not run after %j', async (decision) => {
    const { result, execute } = await answered(decision)
    expect(result).toMatchObject({ outcome: 'denied', error: { code: 'denied' } })
    expect(result.executedInput).toBeUndefined()
    expect(execute).not.toHaveBeenCalled()
  })

  it('tells the model the reason of a denial', async () => {
    const { result } = await answered({ approved: false, reason: 'too expensive' })
    expect(result.response.text).toContain('too expensive')
    expect(result.response.text).toContain('was not executed')
  })

  it('tells the tool what the person wrote', async () => {
    let seen: unknown
    const told = tool({
      name: 'told',
      description: 'Reads the approval.',
      needsApproval: true,
      execute: (_input, { approval }) => {
        seen = approval
      },
    })
    await new ToolExecutor({ tools: [told], confirm: () => ({ approved: true, reason: 'go' }) }).execute({
      name: 'told',
      input: {},
    })
    expect(seen).toEqual({ approved: true, reason: 'go' })
  })

  it('is refused readably when nobody is there to ask', async () => {
    const { pay, execute } = payTool()
    const result = await new ToolExecutor({ tools: [pay] }).execute({ name: 'pay', input: { amount: 1 } })
    expect(result.outcome).toBe('denied')
    expect(result.response.text).toContain('nobody is here')
    expect(execute).not.toHaveBeenCalled()
  })

  it('is denied when the handler throws or rejects', async () => {
    for (const confirm of [
      () => {
        throw new Error('broken dialog')
      },
      () => Promise.reject(new Error('broken dialog')),
    ]) {
      const { pay, execute } = payTool()
      const result = await new ToolExecutor({ tools: [pay], confirm }).execute({
        name: 'pay',
        input: { amount: 1 },
      })
      expect(result.outcome).toBe('denied')
      expect(result.response.text).toContain('broken dialog')
      expect(execute).not.toHaveBeenCalled()
    }
  })

  it('says that nobody answered when the question ended without an answer', async () => {
    const { result } = await answered({ approved: false, unanswered: 'timed out' })
    expect(result.outcome).toBe('denied')
    expect(result.response.text).toContain('not executed')
    expect(result.response.text).toContain('timed out')
  })

  it('is cancelled when the run is aborted meanwhile, and a later yes runs nothing', async () => {
    const { pay, execute } = payTool()
    const abort = new AbortController()
    let answer: (decision: boolean) => void = () => {}
    let request: ApprovalRequest | undefined
    const executor = new ToolExecutor({
      tools: [pay],
      confirm: (asked) => {
        request = asked
        setTimeout(() => abort.abort(), 10)
        return new Promise((resolve) => {
          answer = resolve
        })
      },
    })
    const result = await executor.execute({ name: 'pay', input: { amount: 1 } }, { signal: abort.signal })
    answer(true)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(result).toMatchObject({ outcome: 'cancelled' })
    expect(result.response.text).toContain('before it ran')
    expect(request?.signal.aborted).toBe(true)
    expect(execute).not.toHaveBeenCalled()
  })

  it('shows the person what will run: a frozen copy that no handler can change', async () => {
    const { pay, execute } = payTool()
    const executor = new ToolExecutor({
      tools: [pay],
      confirm: (request) => {
        expect(() => Object.assign(request.input, { amount: 99 })).toThrow(TypeError)
        expect(() => Object.assign(request, { input: {} })).toThrow(TypeError)
        return true
      },
    })
    await executor.execute({ name: 'pay', input: { amount: 1 } })
    expect(execute).toHaveBeenCalledWith({ amount: 1 })
  })
})

describe('an input that the person edits', () => {
  it('runs as edited, and the model is told', async () => {
    const { result, execute } = await answered({ approved: true, input: { amount: 3 } })
    expect(execute).toHaveBeenCalledWith({ amount: 3 })
    expect(result).toMatchObject({
      outcome: 'success',
      call: { input: { amount: 5 } },
      approvedInput: { amount: 3 },
      executedInput: { amount: 3 },
    })
    expect(result.response.text).toContain('{"amount":3}')
  })

  it.each([[{ amount: '1000' }], [{ amount: 1000 }], ['x'], [null]])(
    'is checked again: %j does not run',
    async (input) => {
      const { result, execute } = await answered({ approved: true, input })
      expect(result.outcome).toBe('invalid')
      expect(execute).not.toHaveBeenCalled()
    },
  )

  it('is no edit when only the order of keys differs', async () => {
    const two = tool({
      name: 'two',
      description: 'Two keys.',
      inputSchema: v.object({ a: v.number(), b: v.number() }),
      needsApproval: true,
      execute: () => 'ran',
    })
    const confirm = () => ({ approved: true, input: { b: 2, a: 1 } })
    const result = await new ToolExecutor({ tools: [two], confirm }).execute({
      name: 'two',
      input: { a: 1, b: 2 },
    })
    expect(result.response.text).toBe('ran')
  })
})

describe('who decides that a person is asked', () => {
  const askedFor = async (needsApproval: boolean | (() => unknown)) => {
    const confirm = vi.fn(() => true)
    const each = tool({
      name: 'each',
      description: 'Asks by rule.',
      needsApproval: needsApproval as boolean | (() => boolean),
      execute: () => 'ran',
    })
    await new ToolExecutor({ tools: [each], confirm }).execute({ name: 'each', input: {} })
    return confirm.mock.calls.length
  }

  it('is the rule of the tool: only a plain false does not ask', async () => {
    expect(await askedFor(false)).toBe(0)
    expect(await askedFor(() => false)).toBe(0)
    expect(await askedFor(async () => false)).toBe(0)
    expect(await askedFor(true)).toBe(1)
    expect(await askedFor(() => true)).toBe(1)
    expect(await askedFor(() => undefined)).toBe(1)
    expect(await askedFor(() => Promise.reject(new Error('broken')))).toBe(1)
  })

  it('asks when the rule is silent for two seconds', { timeout: 10_000 }, async () => {
    expect(await askedFor(() => new Promise(() => {}))).toBe(1)
  })

  it('is also the check of the tool, with its reason', async () => {
    let reasons: readonly string[] = []
    const large = tool({
      name: 'large',
      description: 'Asks for large amounts.',
      inputSchema: v.object({ amount: v.number() }),
      check: ({ amount }) => {
        if (amount > 10) throw new ApprovalRequired('more than 10')
      },
      execute: () => 'ran',
    })
    const executor = new ToolExecutor({
      tools: [large],
      confirm: (request) => {
        reasons = request.reasons
        return true
      },
    })
    expect((await executor.execute({ name: 'large', input: { amount: 5 } })).approval).toBeUndefined()
    expect((await executor.execute({ name: 'large', input: { amount: 50 } })).approval).toEqual({
      approved: true,
    })
    expect(reasons).toEqual(['more than 10'])
  })
})

describe('ApprovalRequired thrown by execute', () => {
  const askingInside = () => {
    const runs: boolean[] = []
    const inside = tool({
      name: 'inside',
      description: 'Asks from inside.',
      execute: (_input, { approval }) => {
        runs.push(approval !== undefined)
        if (approval === undefined) throw new ApprovalRequired('found 3 files')
        return 'deleted'
      },
    })
    return { inside, runs }
  }

  it('asks the person and runs the tool from the start with the approval', async () => {
    const { inside, runs } = askingInside()
    const events: ExecutionEvent[] = []
    const executor = new ToolExecutor({
      tools: [inside],
      confirm: ({ reasons }) => reasons[0] === 'found 3 files',
      onEvent: (event) => events.push(event),
    })
    const result = await executor.execute({ name: 'inside', input: {} })
    expect(result).toMatchObject({
      outcome: 'success',
      response: { text: 'deleted' },
      approval: { approved: true },
    })
    expect(runs).toEqual([false, true])
    expect(events.filter((event) => event.type === 'call-started')).toHaveLength(2)
  })

  it('ends the call when the person says no', async () => {
    const { inside, runs } = askingInside()
    const result = await new ToolExecutor({ tools: [inside], confirm: () => false }).execute({
      name: 'inside',
      input: {},
    })
    expect(result.outcome).toBe('denied')
    expect(runs).toEqual([false])
  })

  it('is asked once: a tool that asks again although it was approved is denied', async () => {
    const confirm = vi.fn(() => true)
    const greedy = tool({
      name: 'greedy',
      description: 'Always asks.',
      execute: () => {
        throw new ApprovalRequired('again')
      },
    })
    const result = await new ToolExecutor({ tools: [greedy], confirm }).execute({ name: 'greedy', input: {} })
    expect(result.outcome).toBe('denied')
    expect(confirm).toHaveBeenCalledOnce()
  })
})

describe('a tool that is replaced while the person is asked', () => {
  const version = (text: string, description = 'Deploys.') =>
    tool({ name: 'deploy', description, needsApproval: true, execute: () => text })

  it.each([
    ['with another definition', 'Deploys to production.'],
    ['with the same definition', 'Deploys.'],
  ])('%s does not run on the yes for the other one', async (_how, description) => {
    const registry = new ToolRegistry()
    registry.register(version('v1'), { owner: 'app' })
    const confirm = () => {
      registry.register(version('v2', description), { owner: 'app' })
      return true
    }
    const result = await registry.executeTool('deploy', {}, { confirm })
    expect(result).toMatchObject({ outcome: 'denied' })
    expect(result.response.text).toContain('replaced while the user was asked')
    expect((await registry.executeTool('deploy', {}, { confirm: () => true })).response.text).toBe('v2')
  })

  it('does not run when it was removed', async () => {
    const registry = new ToolRegistry()
    const unregister = registry.register(version('v1'))
    const confirm = () => {
      unregister()
      return true
    }
    expect((await registry.executeTool('deploy', {}, { confirm })).outcome).toBe('denied')
  })
})
