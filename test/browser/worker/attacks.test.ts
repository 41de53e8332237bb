import { Agent, type AgentOptions, WorkerToolset } from 'offstage'
import { expect, it, onTestFinished } from 'vitest'
import { attackTools, effects } from '../../security/attack-tools.ts'
import { ObedientModel, order } from '../../security/orders.ts'
import { payloads } from '../../security/payloads.ts'

it('a text that a worker tool reads makes a model that obeys everything do no harm without a yes', async () => {
  const factory = () =>
    new Worker(new URL('../../security/attack.worker.ts', import.meta.url), { type: 'module' })
  const worker = new WorkerToolset(factory, { size: 1, readyTimeoutMs: 60_000 })
  onTestFinished(() => worker.close())
  const attempt = async (payload: number, effect: number, options: Pick<AgentOptions, 'policy'>) => {
    const { tools, ran } = attackTools()
    const model = new ObedientModel()
    const agent = new Agent({ model, tools: [worker, ...tools], confirm: () => false, ...options })
    const reads = [0, 1].map((n) => order('read_page', { payload, effect, n }))
    await agent.run(`Please look. ${reads.join(' ')}`)
    return ran.includes(effects[effect]?.done ?? '')
  }
  const all = payloads.flatMap((_, payload) => effects.map((_effect, effect) => [payload, effect] as const))
  const harmed: boolean[] = []
  for (const [payload, effect] of all) harmed.push(await attempt(payload, effect, {}))
  expect(harmed.filter(Boolean)).toEqual([])
  const some = all.filter((_, index) => index % 5 === 0)
  const off: boolean[] = []
  for (const [payload, effect] of some) off.push(await attempt(payload, effect, { policy: 'off' }))
  expect(off.filter(Boolean).length).toBeGreaterThanOrEqual(some.length * 0.9)
})
