import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connectTo, once, usualLimits } from '../../../support/mcp/connect-to.ts'
import { type Everything, startEverything } from '../../../support/mcp/everything.ts'

let everything: Everything
beforeAll(async () => {
  everything = await startEverything()
})
afterAll(() => everything.close())

test('the real server is listed, called, asked and left', async () => {
  const elicit = vi.fn(async () => ({ action: 'decline' as const }))
  const { connection } = await connectTo(everything.url, { elicit })
  const { items, incomplete } = await connection.listTools(usualLimits)
  expect(incomplete).toBeUndefined()
  expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'get-sum', 'get-tiny-image']))
  await expect(connection.callTool('echo', { message: 'hi' }, once)).resolves.toMatchObject({
    content: [{ type: 'text', text: 'Echo: hi' }],
  })
  await expect(connection.callTool('get-sum', { a: 'one', b: 2 }, once)).resolves.toMatchObject({
    isError: true,
  })
  const steps: number[] = []
  const input = { duration: 0.2, steps: 4 }
  const onProgress = ({ progress }: { progress: number }) => steps.push(progress)
  await connection.callTool('trigger-long-running-operation', input, { ...once, onProgress })
  expect(steps).toEqual([1, 2, 3, 4])
  await connection.callTool('trigger-elicitation-request', {}, once)
  expect(elicit).toHaveBeenCalledTimes(1)
  expect((await connection.listResources(usualLimits)).items.length).toBeGreaterThan(0)
  expect((await connection.listPrompts(usualLimits)).items.length).toBeGreaterThan(0)
})

test('its environment has nothing but its port', async () => {
  const { connection } = await connectTo(everything.url)
  const { content } = await connection.callTool('get-env', {}, once)
  const [{ text }] = content as unknown as [{ text: string }]
  expect(Object.keys(JSON.parse(text))).toEqual(['PORT'])
})
