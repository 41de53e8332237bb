import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { readList } from '../../../../src/mcp/connection/read-list.ts'
import type { JsonObject } from '../../../../src/tool/json-value.ts'
import { labConnection, usualLimits } from '../../../support/mcp/connect-to.ts'
import { textTool } from '../../../support/mcp/lab-tools.ts'

const tools = (count: number) => Array.from({ length: count }, (_, index) => textTool(`t${index}`))

test('E11: all pages are read', async () => {
  const { connection } = await labConnection({
    answer: {
      'tools/list': ({ cursor }) =>
        cursor === 'p2'
          ? { tools: tools(4).map(({ definition }) => definition) }
          : { tools: tools(50).map(({ definition }) => definition), nextCursor: 'p2' },
    },
  })
  const { items, incomplete } = await connection.listTools(usualLimits)
  expect(items).toHaveLength(54)
  expect(incomplete).toBeUndefined()
})

describe('E10: a cursor', () => {
  /** A server whose n-th answer has one tool and the n-th of these cursors. */
  async function listWith(cursors: (page: number) => unknown) {
    let page = 0
    const { lab, connection } = await labConnection({
      answer: {
        'tools/list': () => {
          const answer = { tools: [{ name: `t${page}` }], nextCursor: cursors(page) }
          page += 1
          return answer
        },
      },
    })
    const list = await connection.listTools({ ...usualLimits, maxPages: 20 })
    return { ...list, asked: lab.of('tools/list').map(({ message }) => message?.params?.cursor) }
  }

  test('that is empty for ever is sent once', async () => {
    const { items, incomplete, asked } = await listWith(() => '')
    expect(asked).toEqual([undefined, ''])
    expect(items).toHaveLength(2)
    expect(incomplete).toContain('a second time')
  })

  test('that is null is the end', async () => {
    const { items, incomplete } = await listWith(() => null)
    expect(items).toHaveLength(1)
    expect(incomplete).toBeUndefined()
  })

  test('that is ever new is given up on', async () => {
    const { items, incomplete } = await listWith((page) => String(page + 1))
    expect(items).toHaveLength(20)
    expect(incomplete).toContain('more than 20 pages')
  })
})

test('E10: a list that never ends is given up on when its time is over', async () => {
  let page = 0
  const { connection } = await labConnection({
    answer: {
      'tools/list': async () => {
        page += 1
        if (page > 1) await new Promise(() => {})
        return { tools: [{ name: 't' }], nextCursor: String(page) }
      },
    },
  })
  const { items, incomplete } = await connection.listTools({ ...usualLimits, timeoutMs: 300 })
  expect(items).toHaveLength(1)
  expect(incomplete).toContain('300 ms')
})

test('a list whose first page never comes is a timeout', async () => {
  const { lab, connection } = await labConnection({
    handle: ({ message }) => message?.method === 'tools/list',
  })
  const list = connection.listTools({ ...usualLimits, timeoutMs: 100 })
  await expect(list).rejects.toMatchObject({ code: 'timeout' })
  await vi.waitFor(() => expect(lab.of('notifications/cancelled')).toHaveLength(1))
})

test('E13: a tool with an odd schema does not cost the others', async () => {
  const bad = { name: 'bad', outputSchema: { $id: 'x', description: 'y' } }
  const ok = { name: 'ok', inputSchema: { type: 'object' } }
  const { connection } = await labConnection({ tools: [{ definition: ok }, { definition: bad }] })
  expect((await connection.listTools(usualLimits)).items).toEqual([ok, bad])
})

test('what is no object in a list is left out', async () => {
  const { connection } = await labConnection({
    answer: { 'tools/list': () => ({ tools: [null, 7, ['x'], { name: 'ok' }] }) },
  })
  expect((await connection.listTools(usualLimits)).items).toEqual([{ name: 'ok' }])
})

test('an answer without a list is an error', async () => {
  const { connection } = await labConnection({ answer: { 'tools/list': () => ({ tools: 'none' }) } })
  await expect(connection.listTools(usualLimits)).rejects.toMatchObject({ code: 'protocol' })
})

test('a page that fails leaves what was read before', async () => {
  const { connection } = await labConnection({
    tools: tools(3),
    pageSize: 2,
    answer: {
      'tools/list': ({ cursor }) => {
        if (cursor !== undefined) throw new Error('out of order')
        return undefined
      },
    },
  })
  const { items, incomplete } = await connection.listTools(usualLimits)
  expect(items).toHaveLength(2)
  expect(incomplete).toContain('out of order')
})

test('a signal ends reading with its reason', async () => {
  const { connection } = await labConnection({ handle: ({ message }) => message?.method === 'tools/list' })
  const signal = AbortSignal.timeout(50)
  await expect(connection.listTools({ ...usualLimits, signal })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
})

test('any list is read in order up to the limits, and is incomplete only beyond them', async () => {
  const sizes = fc.array(fc.nat(5), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(
      sizes,
      fc.integer({ min: 1, max: 15 }),
      fc.integer({ min: 1, max: 30 }),
      async (pages, maxPages, maxItems) => {
        let count = 0
        const all = pages.map((size) => Array.from({ length: size }, () => ({ name: `t${count++}` })))
        let asked = 0
        const ask = async ({ cursor }: JsonObject): Promise<JsonObject> => {
          asked += 1
          const page = Number(cursor ?? 0)
          const next = page + 1 < all.length ? { nextCursor: String(page + 1) } : {}
          return { tools: all[page] ?? [], ...next }
        }
        const limits = { maxPages, maxItems, timeoutMs: 60_000 }
        const { items, incomplete } = await readList('tools', limits, ask)
        const expected = all.slice(0, maxPages).flat()
        expect(items).toEqual(expected.slice(0, maxItems))
        expect(asked).toBeLessThanOrEqual(maxPages)
        if (pages.length <= maxPages && count < maxItems) expect(incomplete).toBeUndefined()
        if (items.length < count) expect(incomplete).toBeDefined()
      },
    ),
  )
})
