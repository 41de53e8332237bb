import { expect, test, vi } from 'vitest'
import type { ElicitationRequest } from '../../../../src/mcp/connection/mcp-connection.ts'
import { type ConnectOptions, labConnection, once } from '../../../support/mcp/connect-to.ts'
import { textTool } from '../../../support/mcp/lab-tools.ts'

type Elicit = NonNullable<ConnectOptions['elicit']>

/** Calls a tool that asks this; what it was answered, or the code of the error. */
async function askedFor(params: Record<string, unknown>, elicit: Elicit): Promise<unknown> {
  const { lab, connection } = await labConnection(
    {
      tools: [
        {
          ...textTool('asks'),
          call: async (_input, { ask }) => ({
            answer: await ask('elicitation/create', params).catch(({ code }) => code),
          }),
        },
      ],
    },
    { elicit },
  )
  expect(lab.of('initialize')[0]?.message?.params?.capabilities).toEqual({
    elicitation: { form: { applyDefaults: true }, url: {} },
  })
  return (await connection.callTool('asks', {}, once)).answer
}

const requestedSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'Ann' },
    age: { type: 'integer', default: 7 },
    wants: { type: 'boolean', default: false },
    note: { type: 'string' },
  },
}

test('a form is handed on, and what the person left out stays out', async () => {
  const requests: ElicitationRequest[] = []
  const answer = await askedFor({ message: 'Who?', requestedSchema }, async (request) => {
    requests.push(request)
    return { action: 'accept', content: { name: 'Bob' } }
  })
  expect(requests).toEqual([{ message: 'Who?', requestedSchema, signal: expect.any(AbortSignal) }])
  expect(answer).toEqual({ action: 'accept', content: { name: 'Bob' } })
})

test('a yes without content says the defaults of the form', async () => {
  const answer = await askedFor({ message: 'Who?', requestedSchema }, async () => ({ action: 'accept' }))
  expect(answer).toEqual({ action: 'accept', content: { name: 'Ann', age: 7, wants: false } })
})

test.each(['decline', 'cancel'] as const)(
  'a form that is answered with %s sends nothing else',
  async (action) => {
    const elicit: Elicit = async () => ({ action, content: { name: 'Bob' } })
    await expect(askedFor({ mode: 'form', message: 'Who?', requestedSchema }, elicit)).resolves.toEqual({
      action,
    })
  },
)

test('an address is handed on', async () => {
  const elicit = vi.fn<Elicit>(async () => ({ action: 'accept' }))
  const params = { mode: 'url', message: 'Pay', url: 'https://pay.test/1', elicitationId: 'e1' }
  await expect(askedFor(params, elicit)).resolves.toEqual({ action: 'accept' })
  expect(elicit).toHaveBeenCalledWith({
    message: 'Pay',
    url: 'https://pay.test/1',
    elicitationId: 'e1',
    signal: expect.any(AbortSignal),
  })
})

test.each([
  { mode: 'url', message: '', url: 'http://pay.test/1' },
  { mode: 'url', message: '', url: 'javascript:alert(1)' },
  { mode: 'url', message: '' },
  { mode: 'form', message: '' },
  { mode: 'voice', message: '' },
])('a question that is none is refused: %j', async (params) => {
  const elicit = vi.fn<Elicit>(async () => ({ action: 'accept' }))
  await expect(askedFor(params, elicit)).resolves.toBe(-32602)
  expect(elicit).not.toHaveBeenCalled()
})

test('the question ends with the call that it belongs to', async () => {
  const questions: ElicitationRequest[] = []
  const { connection } = await labConnection(
    {
      tools: [
        { ...textTool('asks'), call: (_input, { ask }) => ask('elicitation/create', { requestedSchema }) },
      ],
    },
    {
      elicit: (request) => {
        questions.push(request)
        return new Promise(() => {})
      },
    },
  )
  const controller = new AbortController()
  const call = connection.callTool('asks', {}, { ...once, signal: controller.signal })
  await vi.waitFor(() => expect(questions).toHaveLength(1))
  controller.abort(new Error('enough'))
  await expect(call).rejects.toThrow('enough')
  expect(questions[0]?.signal.aborted).toBe(true)
})

test('a server has five questions open at most: what it asks beyond that is cancelled, until one is answered', async () => {
  const open: (() => void)[] = []
  const told: unknown[] = []
  const { connection } = await labConnection(
    {
      tools: [
        {
          ...textTool('asks'),
          call: async (_input, { ask }) => {
            const tell = async (of: string) =>
              told.push([of, (await ask('elicitation/create', { requestedSchema })).action])
            const asked = Array.from({ length: 8 }, () => tell('crowd'))
            await vi.waitFor(() => expect(told).toHaveLength(3))
            open.shift()?.()
            await vi.waitFor(() => expect(told).toHaveLength(4))
            asked.push(tell('late'))
            await vi.waitFor(() => expect(open).toHaveLength(5))
            for (const answer of open) answer()
            await Promise.all(asked)
            return {}
          },
        },
      ],
    },
    { elicit: () => new Promise((resolve) => open.push(() => resolve({ action: 'decline' }))) },
  )
  await connection.callTool('asks', {}, once)
  expect(told.slice(0, 3)).toEqual(Array(3).fill(['crowd', 'cancel']))
  expect(told.slice(3)).toEqual(
    expect.arrayContaining([...Array(5).fill(['crowd', 'decline']), ['late', 'decline']]),
  )
})

test('answers reach a server all of whose connections wait for one', async () => {
  let asked = 0
  const { lab, connection } = await labConnection(
    {
      tools: [
        { ...textTool('asks'), call: (_input, { ask }) => ask('elicitation/create', { requestedSchema }) },
      ],
    },
    {
      elicit: async () => {
        asked += 1
        await vi.waitFor(() => expect(asked).toBe(4))
        return { action: 'decline' }
      },
    },
  )
  await vi.waitFor(() => expect(lab.listeners).toBe(1))
  const calls = Array.from({ length: 4 }, () => connection.callTool('asks', {}, once))
  await expect(Promise.all(calls)).resolves.toEqual(calls.map(() => ({ action: 'decline' })))
})
