import { tool } from 'offstage'
import { serveTools } from 'offstage/worker'
import * as v from 'valibot'
import { burn } from './burn.ts'

const now = () => performance.timeOrigin + performance.now()

export const tools = [
  tool({
    name: 'add',
    description: 'Add two numbers.',
    inputSchema: v.object({ a: v.number(), b: v.number() }),
    parallelSafe: true,
    effect: 'none',
    execute: ({ a, b }) => a + b,
  }),
  tool({
    name: 'burn',
    description: 'Compute for a while.',
    inputSchema: v.object({ rounds: v.number() }),
    parallelSafe: true,
    effect: 'none',
    execute: ({ rounds }) => {
      const start = now()
      burn(rounds)
      return { start, end: now() }
    },
  }),
  tool({
    name: 'runaway',
    description: 'Never ends.',
    parallelSafe: true,
    effect: 'none',
    execute: () => {
      while (true) burn(1_000)
    },
  }),
]
serveTools(tools)
