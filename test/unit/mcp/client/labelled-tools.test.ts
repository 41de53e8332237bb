import { Agent, type ApprovalRequest, Toolset, type ToolsetLabels, tool } from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import { expect, it } from 'vitest'
import { textTool } from '../../../support/mcp/lab-tools.ts'
import { clientOf, lab } from './lab.ts'

const call = ScriptedModel.toolCall

/** A run over an accepted server with these labels: what was asked, what was read, and what the model got. */
async function play(labels: ToolsetLabels, calls: readonly string[]) {
  const server = await lab({ tools: [textTool('read', 'page text')] })
  const client = clientOf(server)
  await client.acceptTools(await client.loadTools())
  const asked: ApprovalRequest[] = []
  const none = { effect: 'none', execute: () => 'ok' } as const
  const model = new ScriptedModel([...calls.map((name) => call(name)), 'end'])
  const agent = new Agent({
    model,
    tools: [
      new Toolset(client).labelled(labels),
      tool({ name: 'page', description: 'Reads a page.', externalContent: true, ...none }),
      tool({ name: 'secret', description: 'Reads a secret.', reads: 'private', ...none }),
    ],
    confirm: (request) => {
      asked.push(request)
      return true
    },
  })
  const { steps, taint } = await agent.run('go')
  const results = steps.flatMap((step) => step.results)
  return {
    asked: asked.map(({ toolName, policy }) => `${toolName}: ${policy?.map(({ rule }) => rule)}`),
    untrusted: taint?.untrusted.map(({ toolName }) => toolName) ?? [],
    private: taint?.private.map(({ toolName }) => toolName) ?? [],
    text: results.find((result) => result.call.name === 'lab_read')?.response.text,
  }
}

const harmless: ToolsetLabels = { effect: 'none', egress: false, reads: 'public', externalContent: false }

it('by default a tool of a server is the worst: it changes, sends, reads private data and gives foreign text', async () => {
  const first = await play({}, ['lab_read', 'lab_read'])
  expect(first).toMatchObject({
    asked: ['lab_read: untrusted-effect,private-egress'],
    untrusted: ['lab_read', 'lab_read'],
    private: ['lab_read', 'lab_read'],
  })
  expect(first.text).toContain('<<outside')
})

it('labels of the app replace all of that, for the policy, the taint and the fence', async () => {
  const { text, ...rest } = await play(harmless, ['lab_read', 'page', 'secret', 'lab_read'])
  expect(rest).toEqual({ asked: [], untrusted: ['page'], private: ['secret'] })
  expect(text).toBe('page text')
})

it.each<[ToolsetLabels, string]>([
  [{ effect: 'local' }, 'lab_read: untrusted-effect'],
  [{ egress: true }, 'lab_read: private-egress'],
  [{ egress: ['lab.example'] }, 'lab_read: private-egress'],
])('each label counts by itself: %j', async (labels, question) => {
  const { asked } = await play({ ...harmless, ...labels }, ['page', 'secret', 'lab_read'])
  expect(asked).toEqual([question])
})

it('a tool that is trusted to read in private taints nothing, and one that is not reads nothing private', async () => {
  expect(await play({ ...harmless, reads: 'private' }, ['lab_read'])).toMatchObject({
    untrusted: [],
    private: ['lab_read'],
  })
  expect(await play({ ...harmless, externalContent: true }, ['lab_read'])).toMatchObject({
    untrusted: ['lab_read'],
    private: [],
  })
})
