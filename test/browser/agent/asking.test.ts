import { Agent, type CallAnswers, type RunState, type ToolMiddleware, WorkerToolset } from 'offstage'
import { ScriptedModel, type ScriptedTurn } from 'offstage/testing'
import { expect, onTestFinished, test } from 'vitest'

// The gate is on the page and the tools are in a worker: what a tool asks for crosses twice.

function kit(): WorkerToolset {
  const worker = () => new Worker(new URL('./asking.worker.ts', import.meta.url), { type: 'module' })
  const made = new WorkerToolset(worker, { size: 1 })
  onTestFinished(() => made.close())
  return made
}

/** Makes agents that have the workers of one page. */
function page(middleware: readonly ToolMiddleware[]): (turn: ScriptedTurn) => Agent {
  const tools = [kit()]
  return (turn) =>
    new Agent({ model: new ScriptedModel([turn, 'done']), tools, confirm: 'pause', middleware })
}

// With a wrap() around it, a call is checked before it is sent; without, in the call itself.
test.each([
  ['alone', []],
  ['with middleware round it', [{ wrap: (_call, _context, next) => next() }]],
] as [string, ToolMiddleware[]][])(
  'S25 P9 what tools in a worker ask for is answered in the next page: %s',
  async (_how, middleware) => {
    const stories: readonly (readonly [
      ReturnType<typeof ScriptedModel.toolCall>,
      object,
      CallAnswers[string],
      unknown,
    ])[] = [
      [
        ScriptedModel.toolCall('fields', { text: 'hello', to: 'evil' }),
        { kind: 'fields', input: { text: 'hello' }, userFields: { required: ['to'] } },
        { fields: { to: 'a@b' } },
        { data: { text: 'hello', to: 'a@b', copies: 1 } },
      ],
      [
        ScriptedModel.toolCall('inside'),
        { kind: 'approval', reasons: ['really?'] },
        { approved: true, reason: 'yes, really' },
        { data: { approved: true, reason: 'yes, really' } },
      ],
      [
        ScriptedModel.toolCall('later'),
        { kind: 'external', metadata: { ticket: 7 } },
        { output: 'sold' },
        { text: 'sold' },
      ],
    ]
    const [first, next] = [page(middleware), page(middleware)]
    for (const [call, question, answer, response] of stories) {
      const paused = await first(call).run('go')
      expect(paused.pending).toMatchObject([question])
      const state = JSON.parse(JSON.stringify(paused.state)) as RunState
      const id = paused.pending[0]?.callId ?? ''
      expect(await next('done').resume(state)).toMatchObject({ status: 'paused', pending: [question] })
      const ended = await next('done').resume(state, { [id]: answer })
      expect(ended.steps[0]?.results).toMatchObject([{ outcome: 'success', response }])
    }
  },
)
