import { ToolExecutor } from 'offstage'
import { MCPClient, memoryPinStore } from 'offstage/mcp'
import { handicapMs, median, runs, timed, wait } from './measure.ts'

const parallelCalls = 12
const callMs = 400
const cancelledCalls = 8
/** Fewer than a browser keeps connections to one origin: each call is at the server before it is cancelled. */
const cancelledAtOnce = 4
/** By then a call that has started is at a server on loopback. In milliseconds. */
const arrivalMs = 50

/** What `bench mcp` reports of a server on loopback whose tool `slow` takes `ms` milliseconds. */
export async function measureMcp(url: string): Promise<Record<string, number>> {
  const plain: number[] = []
  const afterCancels: number[] = []
  // What is fetched and compiled for a first call is no matter of cancels.
  await withClient(url, inParallel)
  for (let run = 0; run < runs; run += 1) {
    plain.push(await withClient(url, (tools) => timed(() => inParallel(tools))))
    afterCancels.push(
      await withClient(url, async (tools) => {
        for (let count = 0; count < cancelledCalls; count += cancelledAtOnce) await cancelSome(tools)
        return timed(async () => {
          await wait(handicapMs)
          await inParallel(tools)
        })
      }),
    )
  }
  return {
    parallelMs: median(plain),
    afterCancelsMs: median(afterCancels),
    cancelSlowdown: median(afterCancels) / median(plain),
  }
}

/** A client of its own for each run: no connection is left from the one before. */
async function withClient<T>(url: string, run: (tools: MCPClient) => Promise<T>): Promise<T> {
  const client = new MCPClient({ url, namespace: 'lab', needsApproval: false, pinStore: memoryPinStore() })
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.close()
  }
}

async function inParallel(tools: MCPClient): Promise<void> {
  const call = { name: 'lab_slow', input: { ms: callMs } }
  const results = await new ToolExecutor({ tools: [tools] }).executeStep(
    Array.from({ length: parallelCalls }, () => call),
  )
  const failed = results.find(({ outcome }) => outcome !== 'success')
  if (failed !== undefined) throw new Error(`A call did not succeed: ${failed.response.text}`)
}

/** Cancels calls that run at the server. */
async function cancelSome(tools: MCPClient): Promise<void> {
  const controller = new AbortController()
  let started = 0
  const executor = new ToolExecutor({
    tools: [tools],
    onEvent: async ({ type }) => {
      if (type !== 'call-started') return
      started += 1
      if (started < cancelledAtOnce) return
      await wait(arrivalMs)
      controller.abort()
    },
  })
  const calls = Array.from({ length: cancelledAtOnce }, () =>
    executor.execute({ name: 'lab_slow', input: { ms: 60_000 } }, { signal: controller.signal }),
  )
  for (const { outcome } of await Promise.all(calls)) {
    if (outcome !== 'cancelled') throw new Error(`A cancelled call ended as "${outcome}".`)
  }
}
