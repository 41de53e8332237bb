import { ToolResponse, tool } from 'offstage'
import * as v from 'valibot'

export const countPrimes = tool({
  name: 'count_primes',
  description: 'Count the prime numbers below a limit.',
  inputSchema: v.object({
    below: v.pipe(v.number(), v.integer(), v.maxValue(3_000_000)),
  }),
  parallelSafe: true,
  effect: 'none',
  execute: ({ below }) => {
    const from = performance.timeOrigin + performance.now()
    let count = 0
    for (let candidate = 2; candidate < below; candidate += 1) {
      if (isPrime(candidate)) count += 1
    }
    const to = performance.timeOrigin + performance.now()
    const text = `${count} primes below ${below}`
    return ToolResponse.ok(text, { data: { count, from, to } })
  },
})

function isPrime(candidate: number): boolean {
  let divisor = 2
  while (divisor * divisor <= candidate && candidate % divisor > 0) divisor += 1
  return divisor * divisor > candidate
}
