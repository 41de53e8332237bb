import {
  Agent,
  type AgentOptions,
  type Message,
  type ModelRequest,
  memoryRunStore,
  type RunResult,
  type RunState,
  tool,
} from 'offstage'
import { ScriptedModel, type ScriptedTurn } from 'offstage/testing'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { finalAnswer } from '../../../src/agent/final-answer.ts'
import { offeredBy } from './agent-kit.ts'
import { overJson } from './run-kit.ts'

const long = Array.from({ length: 4_000 }, (_, index) => `line ${index}`).join('\n')

const load = tool({ name: 'load', description: 'Loads.', parallelSafe: true, execute: () => long })
const small = tool({ name: 'small', description: 'Small.', parallelSafe: true, execute: () => 'small' })
const risky = tool({ name: 'risky', description: 'Risky.', needsApproval: true, execute: () => 'done' })

type Turn = ScriptedTurn | ((request: ModelRequest) => ScriptedTurn)

function lastText({ messages }: ModelRequest): string {
  const last = messages.at(-1)
  return last?.role === 'tool' ? (last.results.at(-1)?.text ?? '') : ''
}

function handleIn(text: string): string {
  return /result-(e?p?-)?[0-9a-f]{24}/.exec(text)?.[0] ?? ''
}

const handleOf = (messages: readonly Message[]) => handleIn(JSON.stringify(messages))

/** A model that reads on where its last result was cut. */
const readOn: Turn = (request) =>
  ScriptedModel.toolCall('read_result', { handle: handleOf(request.messages), offset: 20_000, length: 50 })

async function run(turns: readonly Turn[], options: Partial<AgentOptions> = {}) {
  const model = new ScriptedModel(turns)
  const agent = new Agent({ model, tools: [load, small, risky], confirm: 'pause', ...options })
  return { agent, model, result: await agent.run('go') }
}

const stateOf = ({ state }: RunResult) => overJson(state) as RunState

it('read_result is offered only once something was too long, and gives what was left out', async () => {
  const { model, result } = await run([
    ScriptedModel.toolCall('small'),
    ScriptedModel.toolCall('load'),
    readOn,
    (request) => `It says: ${lastText(request).slice(0, 50)}`,
  ])
  const own = ['load', 'small', 'risky']
  expect(offeredBy(model)).toEqual([own, own, [...own, 'read_result'], [...own, 'read_result']])
  expect(result.finalOutput).toBe(`It says: ${long.slice(20_000, 20_050)}`)
})

it('the handle of another run is refused', async () => {
  const { result: other } = await run([[ScriptedModel.toolCall('load'), ScriptedModel.toolCall('risky')]])
  const stolen = handleOf(other.messages)
  expect(stolen).not.toBe('')
  const { result } = await run([
    ScriptedModel.toolCall('load'),
    ScriptedModel.toolCall('read_result', { handle: stolen }),
    (request) => lastText(request),
  ])
  expect(result.finalOutput).toMatch(/^There is no result with this handle in this conversation/)
})

it('a run that was paused reads its results on when it goes on, in another agent too', async () => {
  const { result: paused } = await run([[ScriptedModel.toolCall('load'), ScriptedModel.toolCall('risky')]])
  expect(paused.status).toBe('paused')
  const model = new ScriptedModel([readOn, (request) => lastText(request)])
  const later = new Agent({ model, tools: [load, small, risky], confirm: 'pause' })
  const [pending] = paused.pending
  const result = await later.resume(stateOf(paused), { [`${pending?.callId}`]: true })
  expect(result.finalOutput).toContain(long.slice(20_000, 20_050))
  expect(offeredBy(model)[0]).toContain('read_result')
})

it('nothing is kept of a run that is over', async () => {
  const store = memoryRunStore()
  const { agent, result } = await run([ScriptedModel.toolCall('load'), 'done'], { store })
  const handle = handleOf(result.messages)
  // The same run cannot go on, and its id alone opens nothing.
  const { outcome } = await agent.executeTool('read_result', { handle }, { runId: result.runId })
  expect(outcome).toBe('unknown')
})

it('a resumed run whose results are no longer kept is not offered what would find nothing', async () => {
  const { agent, result } = await run([[ScriptedModel.toolCall('load'), ScriptedModel.toolCall('risky')]])
  const [pending] = result.pending
  const state = stateOf(result)
  await agent.resume(state, { [`${pending?.callId}`]: true }).catch(() => {})
  const gone = overJson({ ...state, runId: 'another_run' })
  const model = new ScriptedModel(['done'])
  const later = new Agent({ model, tools: [load, small, risky], confirm: 'pause' })
  await later.resume(gone, { [`${pending?.callId}`]: true })
  expect(offeredBy(model)[0]).not.toContain('read_result')
})

it('a final answer is never cut', async () => {
  const answer = 'x'.repeat(40_000)
  const model = new ScriptedModel([ScriptedModel.toolCall('final_answer', { answer })])
  const agent = new Agent({ model, output: finalAnswer(v.object({ answer: v.string() })) })
  const result = await agent.run('go')
  expect(result).toMatchObject({ status: 'done', output: { answer } })
})

it('maxResultChars of the agent counts', async () => {
  const { model } = await run([ScriptedModel.toolCall('load'), 'done'], { maxResultChars: 2_000 })
  expect(lastText(model.requests[1] as ModelRequest).length).toBeLessThanOrEqual(2_000)
  const whole = await run([ScriptedModel.toolCall('load'), 'done'], {
    maxResultChars: Number.POSITIVE_INFINITY,
  })
  expect(lastText(whole.model.requests[1] as ModelRequest)).toBe(long)
})
