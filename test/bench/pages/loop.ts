import { Agent, type ModelAdapter, type ModelEvent, tool } from 'offstage'
import * as v from 'valibot'
import { busy, handicapMs, median, runs, timed } from './measure.ts'

const steps = 200
const callsPerStep = 100
/** By then the engine has compiled what is measured. */
const warmUps = 5

const trivial = tool({
  name: 'trivial',
  description: 'Give back the number.',
  inputSchema: v.object({ n: v.number() }),
  parallelSafe: true,
  effect: 'none',
  execute: ({ n }) => n,
})

/** A model that keeps nothing: it asks for the same calls in each of so many steps, then it answers. */
function repeating(stepCount: number, calls: number, onRequest: () => void = () => {}): ModelAdapter {
  let step = 0
  const events: readonly ModelEvent[] = [
    ...Array.from({ length: calls }, (_, n): ModelEvent => ({ type: 'call', name: 'trivial', input: { n } })),
    { type: 'finish', reason: 'tool-calls' },
  ]
  return {
    name: 'repeating',
    async *stream() {
      onRequest()
      step += 1
      if (step > stepCount) yield { type: 'text-delta', text: 'done' }
      else yield* events
    },
  }
}

function agentWith(model: ModelAdapter): Agent {
  const limits = { maxSteps: steps + 1, maxCallsPerStep: callsPerStep }
  return new Agent({ model, tools: [trivial], limits })
}

/** What `bench loop` reports, apart from the heap. */
export async function measureLoop(): Promise<Record<string, number>> {
  for (let run = 0; run < warmUps; run += 1) {
    await growthOfOneRun()
    await usPerCall()
  }
  const growths: number[] = []
  const costs: number[] = []
  const stepCosts: number[] = []
  for (let run = 0; run < runs; run += 1) {
    growths.push(await growthOfOneRun())
    costs.push(await usPerCall())
    stepCosts.push(await usPerStep())
  }
  return { stepGrowth: median(growths), perCallUs100: median(costs), perStepUs: median(stepCosts) }
}

/** The time of one of the last ten steps as a multiple of that of an early one. */
async function growthOfOneRun(): Promise<number> {
  const starts: number[] = []
  const onRequest = () => {
    // A uniform delay would level the steps: the handicap grows with them.
    busy((handicapMs * starts.length) / steps)
    starts.push(performance.now())
  }
  await agentWith(repeating(steps, 1, onRequest)).run('go')
  const took = starts.slice(1).map((start, index) => start - (starts[index] ?? start))
  return median(took.slice(190, 200)) / median(took.slice(10, 20))
}

/** What one of fifty steps with one call takes, in microseconds. */
async function usPerStep(): Promise<number> {
  const took = await timed(() => agentWith(repeating(50, 1, () => busy(handicapMs / 50))).run('go'))
  return (took * 1_000) / 50
}

/** What a step of many calls takes beyond one of none, by call, in microseconds. */
async function usPerCall(): Promise<number> {
  const withCalls = await timed(async () => {
    busy(handicapMs)
    await agentWith(repeating(1, callsPerStep)).run('go')
  })
  const without = await timed(() => agentWith(repeating(0, 0)).run('go'))
  return ((withCalls - without) * 1_000) / callsPerStep
}

/** Runs that leave nothing behind, or so they should. */
export async function runMany(count: number): Promise<void> {
  for (let run = 0; run < count; run += 1) await agentWith(repeating(3, 2)).run('go')
}
