import { ToolRegistry, type ToolSource, tool } from 'offstage'
import { serveTools } from 'offstage/worker'
import * as v from 'valibot'
import { say } from '../../support/worker/say.ts'

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const late = tool({
  name: 'late',
  description: 'Start late, whatever the signal says, and end or not.',
  inputSchema: v.object({ id: v.string(), ends: v.boolean() }),
  parallelSafe: true,
  execute: ({ id, ends }) => {
    say(`${id} ran`)
    return ends ? id : new Promise<never>(() => {})
  },
})

const registry = new ToolRegistry()
registry.register(late)
const tools = registry.toolset()

/** A source that looks for a place to run a call, for longer than a withdrawn call is waited for. */
const source: ToolSource = {
  reportsStart: true,
  list: () => tools.list(),
  preflight: (name, input, options) => tools.preflight(name, input, options),
  call: async (name, input, { signal: _unheard, ...options } = {}) => {
    say('asked')
    await sleep(600)
    return tools.call(name, input, options)
  },
}

serveTools(source)
