import { expect, it, onTestFinished } from 'vitest'
import { fenced } from '../../../support/fenced.ts'
import { startEverything } from '../../../support/mcp/everything.ts'
import { clientOf, gateOver } from './lab.ts'

it('the tools of the server of the protocol’s authors run through the gate', async () => {
  const server = await startEverything()
  onTestFinished(() => server.close())
  const client = clientOf(server, { namespace: 'all' })
  const progress: unknown[] = []
  const gate = gateOver([client], {
    onEvent: (event) => {
      if (event.type === 'progress') progress.push(event.value)
    },
  })
  expect((await gate.list()).length).toBeGreaterThan(10)
  expect(client.setAside).toEqual([])
  const call = (name: string, input: object = {}) => gate.execute({ name: `all_${name}`, input })
  expect(await call('echo', { message: 'hi' })).toMatchObject({ response: { text: fenced('Echo: hi') } })
  expect(await call('get-sum', { a: 1, b: 'two' })).toMatchObject({ outcome: 'invalid' })
  const image = await call('get-tiny-image')
  expect(image.response.parts).toMatchObject([{ type: 'image', mediaType: 'image/png' }])
  const structured = await call('get-structured-content', { location: 'New York' })
  expect(structured).toMatchObject({
    outcome: 'success',
    response: { data: { temperature: expect.anything() } },
  })
  await call('trigger-long-running-operation', { duration: 0.4, steps: 2 })
  expect(progress).toMatchObject([
    { progress: 1, total: 2 },
    { progress: 2, total: 2 },
  ])
  expect((await client.listResources()).items.length).toBeGreaterThan(0)
  expect((await client.listPrompts()).items.length).toBeGreaterThan(0)
})
