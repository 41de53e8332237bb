import { WorkerToolset } from 'offstage'
import { exposeWebMCP, type HostOutput, toAISDKTools } from 'offstage/interop'
import { expect, onTestFinished, test, vi } from 'vitest'
import { callAsAgent, contexts } from './page-contexts.ts'

/** A pool of one lane. */
function pool(open: () => Worker): WorkerToolset {
  const made = new WorkerToolset(open, { size: 1 })
  onTestFinished(() => made.close())
  return made
}

const values = () => new Worker(new URL('../worker/values.worker.ts', import.meta.url), { type: 'module' })
const kit = () => new Worker(new URL('../worker/kit.worker.ts', import.meta.url), { type: 'module' })

/** The last output of a tool that another loop calls. */
async function callTool(
  tools: Awaited<ReturnType<typeof toAISDKTools>>,
  name: string,
  input: object,
  signal?: AbortSignal,
) {
  let last: HostOutput | undefined
  const options = { toolCallId: 'c', ...(signal && { abortSignal: signal }) }
  for await (const output of tools[name]?.execute?.(input, options) ?? []) last = output
  return last
}

test('P37 what structured clones carry crosses from a worker into another loop', async () => {
  const tools = await toAISDKTools(pool(values), { confirm: () => true })
  const plain = await callTool(tools, 'give', { what: 'plain' })
  expect(plain?.data).toEqual({ date: new Date(0), set: new Set([1]), big: 1n, bytes: new Uint8Array([7]) })
  const image = await callTool(tools, 'image', { how: 'moved' })
  expect(image).toMatchObject({ data: { bytes: { byteLength: 1_000_000 } } })
})

test('P37 what they do not carry is an error that says so', async () => {
  const tools = await toAISDKTools(pool(values), { confirm: () => true })
  await expect(callTool(tools, 'give', { what: 'functionMember' })).rejects.toThrow(/clone|function/)
})

test('P20 P21 an abort of another loop ends a tool that never ends, and the lane serves on', async () => {
  const tools = await toAISDKTools(pool(kit), { confirm: () => true })
  const controller = new AbortController()
  const running = callTool(tools, 'spin', {}, controller.signal)
  running.catch(() => {})
  await new Promise((resolve) => setTimeout(resolve, 100))
  controller.abort()
  await expect(running).rejects.toThrow('spin')
  expect((await callTool(tools, 'add', { a: 1, b: 2 }))?.text).toBe('3')
})

test('P20 so does one of an agent of the browser', async () => {
  const [[, engine] = []] = contexts
  const context = engine?.() as ReturnType<NonNullable<typeof engine>>
  const exposure = await exposeWebMCP(pool(kit), { confirm: () => true })
  onTestFinished(() => exposure.close())
  const controller = new AbortController()
  const running = callAsAgent(context, 'spin', {}, { signal: controller.signal })
  running.catch(() => {})
  await new Promise((resolve) => setTimeout(resolve, 100))
  controller.abort()
  await expect(running).rejects.toThrow()
  await vi.waitFor(async () => expect(await callAsAgent(context, 'add', { a: 1, b: 2 })).toBe('3'))
})
