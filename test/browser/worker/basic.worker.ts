import { ToolResponse, tool, transfer } from 'offstage'
import { serveTools } from 'offstage/worker'
import * as v from 'valibot'

const add = tool({
  name: 'add',
  description: 'Add two numbers.',
  inputSchema: v.object({ a: v.number(), b: v.number() }),
  parallelSafe: true,
  effect: 'none',
  execute: ({ a, b }) => a + b,
})

export const tools = [add] as const
serveTools(tools)
