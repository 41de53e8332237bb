import { ToolExecutor, tool } from 'offstage'
import { expect, it } from 'vitest'

async function textOf(value: unknown): Promise<string> {
  const give = tool({ name: 'give', description: 'Gives a value.', execute: () => value })
  return (await new ToolExecutor({ tools: [give] }).execute({ name: 'give', input: {} })).response.text
}

it('shows a date and an address as JSON does, alone and inside', async () => {
  const date = new Date(0)
  expect(await textOf(date)).toBe('"1970-01-01T00:00:00.000Z"')
  expect(await textOf({ date })).toBe('{"date":"1970-01-01T00:00:00.000Z"}')
  expect(await textOf(new URL('https://example.com/a'))).toBe('"https://example.com/a"')
})

it('names a list of millions instead of writing it out', async () => {
  expect((await textOf(new Array(1_000_001).fill(0))).slice(0, 40)).toBe('[Array, 1000001 items]')
  expect(await textOf([1, 2])).toBe('[1,2]')
})
