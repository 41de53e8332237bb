import { exportPins, memoryPinStore } from 'offstage/mcp'
import { expect, it } from 'vitest'
import type { LabTool } from '../../../support/mcp/lab-server.ts'
import { textResult } from '../../../support/mcp/lab-tools.ts'
import { clientOf, gateOver, lab } from './lab.ts'

const toolOf = (name: string, definition: object = {}): LabTool => ({
  definition: { name, inputSchema: { type: 'object' }, ...definition },
  call: () => textResult(''),
})

it('two addresses that differ in the query alone share neither pins nor grants, and no secret is kept', async () => {
  const server = await lab({ tools: [toolOf('plain')] })
  const pinStore = memoryPinStore()
  const at = async (query: string) => {
    const client = clientOf({ url: server.url + query }, { pinStore })
    const [listed] = await client.list()
    expect(JSON.stringify(listed)).not.toContain('hunter2')
    return { grantedTo: listed?.fingerprint, pin: client.tools[0]?.pin?.state }
  }
  const first = await at('?tenant=a&key=hunter2')
  expect(await at('?tenant=a&key=hunter2')).toEqual({ ...first, pin: 'pinned' })
  const other = await at('?tenant=b&key=hunter2')
  expect(other.pin).toBe('new')
  expect(other.grantedTo).not.toBe(first.grantedTo)
  expect(JSON.stringify(await exportPins(pinStore))).not.toContain('hunter2')
})

it('all tools of a list are new to the client that pinned them, called or not', async () => {
  const server = await lab({ tools: [toolOf('one'), toolOf('two')] })
  const client = clientOf(server)
  const states = () => client.tools.map(({ pin }) => pin?.state)
  await gateOver([client]).execute({ name: 'lab_one', input: {} })
  expect(states()).toEqual(['new', 'new'])
  await client.refresh()
  expect(states()).toEqual(['new', 'new'])
  server.tools = [toolOf('one'), toolOf('two', { description: 'Another.' })]
  await client.refresh()
  // It was never called, and is blocked all the same.
  expect(states()).toEqual(['new', 'drifted'])
})
