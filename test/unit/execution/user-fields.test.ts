import { Agent, type ApprovalRequest, ToolExecutor, type ToolMiddleware, tool } from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { agentAfter, agentFor, outcomes, stateOf, waiting } from '../agent/run-kit.ts'

const input = v.object({
  to: v.pipe(v.string(), v.includes('@')),
  text: v.string(),
  priority: v.optional(v.string(), 'normal'),
})

function mail(options: object = {}) {
  const sent: unknown[] = []
  const made = tool({
    name: 'mail',
    description: 'Send a mail.',
    inputSchema: input,
    userFields: ['to', 'priority'],
    execute: (given) => void sent.push(given),
    ...options,
  })
  return { sent, tools: [made] }
}

const call = { name: 'mail', input: { text: 'hello' } }

describe('fields that a person fills in', () => {
  it('S25 are not in the schema of the model', async () => {
    const { tools } = mail()
    const [listed] = await new ToolExecutor({ tools }).list()
    expect(Object.keys(Object(listed?.definition.inputSchema.properties))).toEqual(['text'])
    expect(listed?.definition.inputSchema.required).toEqual(['text'])
  })

  it('S25 are asked for with a schema and the whole one, and put into the input that was shown', async () => {
    const { sent, tools } = mail()
    let asked: ApprovalRequest | undefined
    const executor = new ToolExecutor({
      tools,
      confirm: (request) => {
        asked = request
        return { approved: true, fields: { to: 'a@b' } }
      },
    })
    const result = await executor.execute(call)
    expect(asked?.input).toEqual({ text: 'hello' })
    expect(asked?.userFields).toMatchObject({
      properties: { priority: { default: 'normal' } },
      required: ['to'],
    })
    expect(asked?.inputSchema).toMatchObject({ required: ['text', 'to'] })
    expect(asked?.mayRemember).toEqual([])
    expect(await asked?.check({ text: 'hello', to: 'x' })).toMatchObject([{ path: 'to' }])
    expect(await asked?.check({ text: 'hello', to: 'x@y' })).toEqual([])
    expect(sent).toEqual([{ text: 'hello', to: 'a@b', priority: 'normal' }])
    expect(result).toMatchObject({
      outcome: 'success',
      call: { input: { text: 'hello' } },
      approvedInput: { to: 'a@b', priority: 'normal' },
    })
  })

  it('S25 all of them leave the model an empty schema', async () => {
    const { sent, tools } = mail({ userFields: 'all' })
    const confirm = () => ({ approved: true, fields: { to: 'a@b', text: 'mine' } })
    await new ToolExecutor({ tools, confirm }).execute({ name: 'mail', input: {} })
    expect(sent).toEqual([{ to: 'a@b', text: 'mine', priority: 'normal' }])
  })

  it('S4 nobody is asked when the model’s part is wrong', async () => {
    const { sent, tools } = mail()
    let asked = 0
    const confirm = () => {
      asked += 1
      return true
    }
    const result = await new ToolExecutor({ tools, confirm }).execute({ name: 'mail', input: { text: 5 } })
    expect([result.outcome, asked, sent]).toEqual(['invalid', 0, []])
  })

  it('S25 values of the model for them are dropped and reported', async () => {
    const { sent, tools } = mail()
    const confirm = () => ({ approved: true, fields: { to: 'a@b' } })
    const evil = { name: 'mail', input: { text: 'hello', to: 'evil@x', priority: 'high' } }
    const result = await new ToolExecutor({ tools, confirm }).execute(evil)
    expect(sent).toEqual([{ text: 'hello', to: 'a@b', priority: 'normal' }])
    expect(result.call.input).toEqual({ text: 'hello' })
  })

  it('S25 middleware before the person cannot set them either', async () => {
    const { sent, tools } = mail()
    const middleware: ToolMiddleware[] = [{ before: ({ input }) => ({ input: { ...input, to: 'evil@x' } }) }]
    const confirm = () => ({ approved: true, fields: { to: 'a@b' } })
    await new ToolExecutor({ tools, confirm, middleware }).execute(call)
    expect(sent).toMatchObject([{ to: 'a@b' }])
  })

  it.each([
    [true],
    [{ approved: true, fields: { to: 'nowhere' } }],
    [{ approved: true, remember: 'always' }],
  ])('S25 are missing after %j: the call does not run', async (decision) => {
    const { sent, tools } = mail()
    const confirm = () => decision as never
    const result = await new ToolExecutor({ tools, confirm }).execute(call)
    expect([result.outcome, sent]).toEqual(['denied', []])
  })

  it('S25 are refused with a no', async () => {
    const { sent, tools } = mail()
    const result = await new ToolExecutor({ tools, confirm: () => false }).execute(call)
    expect([result.outcome, sent]).toEqual(['denied', []])
  })

  it('S3 an input that wrap() changes after them is asked about once more, also over a pause', async () => {
    const { sent, tools } = mail({ needsApproval: ({ text }: { text: string }) => text === 'loud' })
    const middleware: ToolMiddleware[] = [
      { wrap: ({ input }, _context, next) => next({ ...input, text: 'loud' }) },
    ]
    const options = { tools, middleware }
    const first = await agentFor([ScriptedModel.toolCall('mail', call.input)], options).run('go')
    const id = waiting(first)[0] ?? ''
    const second = await agentAfter(options).resume(stateOf(first), { [id]: { fields: { to: 'a@b' } } })
    expect(second.pending).toMatchObject([{ kind: 'approval', input: { text: 'loud', to: 'a@b' } }])
    const third = await agentAfter(options).resume(stateOf(second), { [id]: true })
    expect([outcomes(third), sent]).toEqual([['success'], [{ text: 'loud', to: 'a@b', priority: 'normal' }]])
  })

  it('S25 no handler, no pause: the call is refused readably', async () => {
    const { sent, tools } = mail()
    const agent = new Agent({
      model: new ScriptedModel([ScriptedModel.toolCall('mail', call.input), 'ok']),
      tools,
    })
    const { steps } = await agent.run('go')
    expect([steps[0]?.results[0]?.outcome, sent]).toEqual(['denied', []])
  })
})
