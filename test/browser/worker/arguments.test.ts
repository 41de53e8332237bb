import { expect, it } from 'vitest'
import { gatedKit } from './kit.ts'

it('B18 B08 arguments for a tool in a worker are repaired by the same rules, on the page', async () => {
  const { executor, events } = gatedKit({ size: 1 })
  const result = await executor.execute({
    name: 'functions.add',
    input: 'Sure:\n```json\n{"a":"1","b":2}\n```',
  })
  expect(result).toMatchObject({
    outcome: 'success',
    repaired: ['name', 'surrounding-text', 'number'],
    executedInput: { a: 1, b: 2 },
  })
  expect(events.find(({ type }) => type === 'call')).toMatchObject({ call: { name: 'add' } })
})

it('B01 what was cut off does not reach the worker', async () => {
  const { executor, events } = gatedKit({ size: 1 })
  const result = await executor.execute({ name: 'add', input: '{"a":1,"b":2' })
  expect(result.outcome).toBe('invalid')
  expect(events.map(({ type }) => type)).toEqual(['result'])
})
