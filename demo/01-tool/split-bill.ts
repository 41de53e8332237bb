import { tool } from 'offstage'
import * as v from 'valibot'

export const splitBill = tool({
  name: 'split_bill',
  description: 'Split a restaurant bill, tip included.',
  inputSchema: v.object({
    amount: v.pipe(v.number(), v.minValue(0), v.description('without the tip')),
    people: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)),
    tip: v.optional(v.picklist(['none', 'usual', 'generous']), 'usual'),
  }),
  parallelSafe: true,
  effect: 'none',
  execute: ({ amount, people, tip }) => {
    const share = { none: 0, usual: 0.1, generous: 0.2 }[tip]
    const total = amount * (1 + share)
    return `${(total / people).toFixed(2)} € each of ${total.toFixed(2)} €`
  },
})
