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

const idOf = (input: unknown) => (input as { readonly id: string }).id

/**
 * A source that takes longer to check a call, and then to find a place to run it, than a withdrawn call is
 * waited for; and hears of no signal.
 */
const source: ToolSource = {
  reportsStart: true,
  list: () => tools.list(),
  preflight: async (name, input, { signal: _unheard, ...options } = {}) => {
    say(`${idOf(input)} checks`)
    await sleep(600)
    return tools.preflight(name, input, options)
  },
  call: async (name, input, { signal: _unheard, ...options } = {}) => {
    say(`${idOf(input)} asked`)
    await sleep(600)
    return tools.call(name, input, options)
  },
}

serveTools(source)
