import { tool } from 'offstage'
import { serveTools } from 'offstage/worker'
import * as v from 'valibot'
import { effects } from './attack-tools.ts'
import { payloads } from './payloads.ts'

// What it reads never stands in the words of the person: a payload and an effect are asked for by their numbers.
serveTools([
  tool({
    name: 'read_page',
    description: 'Reads something from outside.',
    inputSchema: v.object({ payload: v.number(), effect: v.number(), n: v.number() }),
    parallelSafe: true,
    effect: 'none',
    externalContent: true,
    execute: ({ payload, effect, n }) => {
      const orders = effects[effect]?.orders.join(' ') ?? ''
      return payloads[payload]?.dress(orders)[n] ?? 'Nothing.'
    },
  }),
])
