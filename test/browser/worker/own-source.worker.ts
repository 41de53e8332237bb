import { ToolRegistry, type ToolSource, tool } from 'offstage'
import { serveTools } from 'offstage/worker'
import * as v from 'valibot'
import { say } from '../../support/worker/say.ts'

const parallel = { parallelSafe: true, effect: 'none' } as const
const named = v.object({ id: v.optional(v.string(), 'nobody') })

const guarded = tool({
  name: 'guarded',
  description: 'Run; its definition asks for no yes, its source does.',
  inputSchema: named,
  ...parallel,
  execute: ({ id }) => {
    say(`${id} ran`)
    return id
  },
})

const seenContext = tool({
  name: 'seen_context',
  description: 'Return what the worker was told of the call.',
  ...parallel,
  execute: (_input, { callId, runId, step }) => ({ callId, runId, step }),
})

const reportLate = tool({
  name: 'report_late',
  description: 'Answer, and report progress and a line afterwards.',
  inputSchema: named,
  ...parallel,
  execute: ({ id }, { progress, log }) => {
    progress('in time')
    setTimeout(() => {
      progress('late')
      log('late')
      say(`${id} reported late`)
    }, 50)
    return id
  },
})

const reportSpent = tool({
  name: 'report_spent',
  description: 'Report a buffer that was handed over before.',
  ...parallel,
  execute: (_input, { progress }) => {
    const bytes = new ArrayBuffer(8)
    structuredClone(bytes, { transfer: [bytes] })
    progress({ bytes })
  },
})

const registry = new ToolRegistry()
for (const one of [guarded, seenContext, reportLate, reportSpent]) registry.register(one)
const tools = registry.toolset()

/** A source of the app's own: it has a rule that no definition shows, and does not report its starts. */
const source: ToolSource = {
  list: () => tools.list(),
  preflight: async (name, input, options) => {
    const answer = await tools.preflight(name, input, options)
    if (answer.kind !== 'ready' || name !== 'guarded') return answer
    return { ...answer, needsApproval: true, reasons: ['the source wants a yes'] }
  },
  call: (name, input, { onStart: _told, ...options } = {}) => tools.call(name, input, options),
}

serveTools(source)
