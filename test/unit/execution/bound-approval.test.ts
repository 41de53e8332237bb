import {
  Agent,
  type ApprovalRequest,
  ApprovalRequired,
  Grants,
  memoryStore,
  ToolExecutor,
  type ToolExecutorOptions,
  tool,
} from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'

/** A tool that asks for a yes to a state of the world that its input does not name, and what it ran with. */
function deploying(state: { version: string }) {
  const ran: unknown[] = []
  const deploy = tool({
    name: 'deploy',
    description: 'Deploys what is there.',
    inputSchema: v.object({ to: v.string() }),
    check: ({ to }) => {
      throw new ApprovalRequired(`${state.version} goes to ${to}`, { boundTo: `${state.version} ${to}` })
    },
    execute: (_input, { approval }) => {
      ran.push(approval?.boundTo)
      return 'deployed'
    },
  })
  return { deploy, ran }
}

function gateOver(tools: ToolExecutorOptions['tools'], confirm: (request: ApprovalRequest) => unknown) {
  const asked: string[] = []
  const grants = new Grants({ store: memoryStore() })
  const gate = new ToolExecutor({
    tools,
    grants,
    confirm: (request) => {
      asked.push(request.reasons.join())
      return confirm(request) as boolean
    },
  })
  return { asked, grants, run: (to: string) => gate.execute({ name: 'deploy', input: { to } }) }
}

describe('a yes that is bound to more than the input', () => {
  it('is told to the tool as it was asked for, whatever has become of it since', async () => {
    const state = { version: 'v1' }
    const { deploy, ran } = deploying(state)
    const { asked, run } = gateOver([deploy], () => {
      state.version = 'v2'
      return true
    })
    expect(await run('test')).toMatchObject({ outcome: 'success', approval: { boundTo: 'v1 test' } })
    expect(asked).toEqual(['v1 goes to test'])
    expect(ran).toEqual(['v1 test'])
  })

  it('cannot be remembered', async () => {
    const { deploy, ran } = deploying({ version: 'v1' })
    const offered: unknown[] = []
    const { run, grants } = gateOver([deploy], ({ mayRemember }) => {
      offered.push(mayRemember)
      return { approved: true, remember: { duration: 'always', scope: 'tool' } }
    })
    expect(await run('test')).toMatchObject({ outcome: 'denied' })
    expect(offered).toEqual([[]])
    expect(await grants.list()).toEqual([])
    expect(ran).toEqual([])
  })

  it('is asked for again when the person changes the input', async () => {
    const { deploy, ran } = deploying({ version: 'v1' })
    const { asked, run } = gateOver([deploy], ({ input }) =>
      input.to === 'test' ? { approved: true, input: { to: 'live' } } : true,
    )
    expect(await run('test')).toMatchObject({ outcome: 'success', executedInput: { to: 'live' } })
    expect(asked).toEqual(['v1 goes to test', 'v1 goes to live'])
    expect(ran).toEqual(['v1 live'])
    const refusing = gateOver([deploy], ({ input }) =>
      input.to === 'test' ? { approved: true, input: { to: 'live' } } : false,
    )
    expect(await refusing.run('test')).toMatchObject({ outcome: 'denied' })
    expect(ran).toHaveLength(1)
  })

  it('is none after a pause to what has changed in it', async () => {
    const state = { version: 'v1' }
    const { deploy, ran } = deploying(state)
    const model = new ScriptedModel([{ calls: [{ name: 'deploy', input: { to: 'test' } }] }, 'done'])
    const agent = new Agent({
      model,
      tools: [deploy],
      confirm: 'pause',
      grants: new Grants({ store: memoryStore() }),
    })
    const paused = await agent.run('go')
    const id = paused.pending?.[0]?.callId ?? ''
    state.version = 'v2'
    const again = await agent.resume(paused.state as never, { [id]: { approved: true } })
    const question = { reasons: ['v2 goes to test'], boundTo: 'v2 test' }
    expect(again).toMatchObject({ status: 'paused', pending: [question] })
    const [pending] = again.pending ?? []
    expect(agent.approvalRequest(pending as never).mayRemember).toEqual([])
    expect(ran).toEqual([])
    expect(await agent.resume(again.state as never, { [id]: { approved: true } })).toMatchObject({
      status: 'done',
    })
    expect(ran).toEqual(['v2 test'])
  })
})
