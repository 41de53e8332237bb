import { ModelRetry, ToolError, ToolFailed, ToolResponse, tool, transfer } from 'offstage'
import { serveTools } from 'offstage/worker'
import * as v from 'valibot'

const parallel = { parallelSafe: true, effect: 'none' } as const

class Point {
  readonly x = 1
  length(): number {
    return this.x
  }
}

/** What can be returned, by name. */
const returned: Record<string, () => unknown> = {
  functionMember: () => ({ f() {} }),
  deepFunction: () => ({ rows: [{ ok: 1 }, { render: () => 1 }] }),
  response: () => new Response(),
  responseMember: () => ({ page: new Response('text') }),
  symbol: () => ({ mark: Symbol('mark') }),
  proxy: () => ({ state: new Proxy({ a: 1 }, {}) }),
  classInstance: () => ({ point: new Point() }),
  map: () => new Map<string, unknown>([['run', () => 1]]),
  toolResponse: () => ToolResponse.ok('made', { data: { f() {} } }),
  typedArray200MB: () => new Float64Array(25_000_000),
  array200MB: () => new Array(25_000_000).fill(0.5),
  nested: () => {
    let list: unknown = null
    for (let depth = 0; depth < 3_000; depth += 1) list = { list }
    return list
  },
  plain: () => ({ date: new Date(0), set: new Set([1]), big: 1n, bytes: new Uint8Array([7]) }),
}

const give = tool({
  name: 'give',
  description: 'Return a value of a given kind.',
  inputSchema: v.object({ what: v.picklist(Object.keys(returned)) }),
  ...parallel,
  execute: ({ what }) => returned[what]?.(),
})

class DeniedError extends Error {
  override readonly name = 'ToolError'
  readonly code = 'E_DENIED'
  readonly retryable = true
}

/** What can be thrown, by name. */
const thrown: Record<string, () => unknown> = {
  denied: () => new DeniedError('no entry'),
  toolError: () =>
    new ToolError('no entry', { code: 'E_DENIED', retryable: true, issues: [{ path: 'a', message: 'b' }] }),
  functionProperty: () => Object.assign(new Error('the original message'), { retry() {} }),
  functionObject: () => ({ fn() {} }),
  undefined: () => undefined,
  text: () => 'just a text',
  retry: () => new ModelRetry('try it with another word'),
  failed: () => new ToolFailed('there is nothing to be done'),
  system: () => new DOMException('the disk is full', 'QuotaExceededError'),
  valibot: () => v.parse(v.object({ a: v.string() }), { a: 1 }),
}

const fail = tool({
  name: 'fail',
  description: 'Throw a value of a given kind.',
  inputSchema: v.object({ what: v.picklist(Object.keys(thrown)) }),
  ...parallel,
  execute: ({ what }) => {
    throw thrown[what]?.()
  },
})

const report = tool({
  name: 'report',
  description: 'Report something that cannot be cloned.',
  inputSchema: v.object({ as: v.picklist(['progress', 'log', 'yield']) }),
  ...parallel,
  execute: ({ as }, { progress, log }) => {
    if (as === 'progress') progress({ done: 1, onClick: () => {} })
    if (as === 'log') log('look', { element: () => {} })
    return (async function* () {
      yield { done: 1 }
      yield { render: () => {} }
    })()
  },
})

const seenDeps = tool({
  name: 'seen_deps',
  description: 'Return the deps that the worker got.',
  ...parallel,
  execute: (_input, { deps }) => ({ deps }),
})

const image = tool({
  name: 'image',
  description: 'Return pixels, handed over or copied.',
  inputSchema: v.object({ how: v.picklist(['moved', 'moved-response', 'twice', 'view', 'copied']) }),
  ...parallel,
  execute: ({ how }) => {
    const bytes = new Uint8Array(1_000_000).fill(7)
    kept.set(how, bytes)
    if (how === 'moved') return transfer({ bytes }, [bytes.buffer])
    if (how === 'twice') return transfer({ bytes }, [bytes.buffer, bytes.buffer])
    if (how === 'view') return transfer({ bytes }, [bytes as unknown as ArrayBuffer])
    if (how === 'moved-response') {
      const parts = [{ type: 'image', mediaType: 'image/raw', data: bytes }] as const
      return transfer(ToolResponse.ok('an image', { parts }), [bytes.buffer])
    }
    return { bytes }
  },
})

const kept = new Map<string, Uint8Array>()
const left = tool({
  name: 'left',
  description: 'Tell how many bytes an earlier image has left in the worker.',
  inputSchema: v.object({ how: v.string() }),
  ...parallel,
  execute: ({ how }) => kept.get(how)?.byteLength,
})

const wordy = tool({
  name: 'wordy',
  description: 'Say much, with a limit of its own.',
  maxResultChars: 20_000,
  ...parallel,
  execute: () => 'word '.repeat(6_000),
})

export const tools = [give, fail, report, seenDeps, image, left, wordy] as const
serveTools(tools)
