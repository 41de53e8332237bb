import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Grant, GrantedTool } from '../../../src/execution/grant.ts'
import { Grants, type NewGrant } from '../../../src/execution/grants.ts'
import type { KeyValueStore } from '../../../src/storage/key-value.ts'
import { memoryStore } from '../../../src/storage/memory-store.ts'
import { StorageError } from '../../../src/storage/storage-error.ts'

const mail = { origin: 'mcp:mail', toolName: 'send_email', fingerprint: 'f1' } as const
const input = { to: 'alice@example.com', copies: { count: 2, kind: 'bcc' } }

function newGrant(changes: Partial<NewGrant> = {}): NewGrant {
  return { ...mail, scope: 'input', duration: 'session', input, ...changes }
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000, toFake: ['Date'] })
})

afterEach(() => {
  vi.useRealTimers()
})

describe.each(['session', 'always'] as const)('a grant for %s', (duration) => {
  test('of one input allows that input in any order of its keys, and no other', async () => {
    const grants = new Grants({ store: memoryStore() })
    const given = await grants.add(newGrant({ duration }))
    const { id, ...rest } = given
    expect(rest).toEqual({ ...mail, scope: 'input', input, duration, grantedAt: 1_000 })
    const same = { copies: { kind: 'bcc', count: 2 }, to: 'alice@example.com' }
    expect(await grants.find({ ...mail, input: same })).toEqual(given)
    expect(await grants.find({ ...mail, input: same, exactOnly: true })).toEqual(given)
    for (const other of [{}, { ...input, to: 'bob@example.com' }, { ...input, more: null }]) {
      expect(await grants.find({ ...mail, input: other })).toBeUndefined()
    }
    expect(await grants.find({ ...mail, input, toolName: 'other' })).toBeUndefined()
    expect(await grants.find({ ...mail, input, origin: 'app' })).toBeUndefined()
  })

  test('of a tool allows every input, but not where only exact ones count', async () => {
    const grants = new Grants({ store: memoryStore() })
    const given = await grants.add(newGrant({ duration, scope: 'tool' }))
    expect(given).not.toHaveProperty('input')
    expect(await grants.find({ ...mail, input: {} })).toEqual(given)
    expect(await grants.find({ ...mail, input, exactOnly: true })).toBeUndefined()
  })

  test('of one input is found before one of the tool', async () => {
    const grants = new Grants({ store: memoryStore() })
    await grants.add(newGrant({ duration: 'session', scope: 'tool' }))
    const exact = await grants.add(newGrant({ duration }))
    await grants.add(newGrant({ duration: 'always', scope: 'tool' }))
    expect(await grants.find({ ...mail, input })).toEqual(exact)
  })

  test('given twice is one, the later', async () => {
    const grants = new Grants({ store: memoryStore() })
    await grants.add(newGrant({ duration }))
    const later = await grants.add(
      newGrant({ duration, input: { copies: { kind: 'bcc', count: 2 }, to: 'alice@example.com' } }),
    )
    const tool = await grants.add(newGrant({ duration, scope: 'tool' }))
    const ids = (await grants.list()).map(({ id }) => id)
    expect(ids.sort()).toEqual([later.id, tool.id].sort())
  })

  test('ends when it is revoked, alone or with all others', async () => {
    const grants = new Grants({ store: memoryStore() })
    const exact = await grants.add(newGrant({ duration }))
    const tool = await grants.add(newGrant({ duration, scope: 'tool' }))
    await grants.revoke(exact.id)
    await grants.revoke(exact.id)
    await grants.revoke('unknown')
    expect(await grants.find({ ...mail, input, exactOnly: true })).toBeUndefined()
    expect(await grants.list()).toEqual([tool])
    await grants.revokeAll()
    expect(await grants.list()).toEqual([])
    expect(await grants.find({ ...mail, input })).toBeUndefined()
  })

  test('keeps the input as it was when it was given', async () => {
    const grants = new Grants({ store: memoryStore() })
    const changing = { path: 'a.md', tags: ['x'] }
    const given = await grants.add(newGrant({ duration, input: changing }))
    changing.path = 'b.md'
    changing.tags.push('y')
    expect(given.input).toEqual({ path: 'a.md', tags: ['x'] })
    expect(Object.isFrozen(given.input?.tags)).toBe(true)
    expect(await grants.find({ ...mail, input: changing })).toBeUndefined()
    expect(await grants.find({ ...mail, input: { path: 'a.md', tags: ['x'] } })).toBeDefined()
  })

  test('F16 ends for good when another tool stands at the name, also when the first comes back', async () => {
    const grants = new Grants({ store: memoryStore() })
    await grants.add(newGrant({ duration }))
    await grants.add(newGrant({ duration, scope: 'tool' }))
    expect(await grants.find({ ...mail, input, fingerprint: 'f2' })).toBeUndefined()
    expect(await grants.find({ ...mail, input })).toBeUndefined()
    expect(await grants.list()).toEqual([])
  })

  test('F16 does not count for a server at another address, and stays for the first', async () => {
    const grants = new Grants({ store: memoryStore() })
    const given = await grants.add(newGrant({ duration }))
    expect(await grants.find({ ...mail, origin: 'mcp:other', input })).toBeUndefined()
    expect(await grants.find({ ...mail, input })).toEqual(given)
  })

  test('F16 ends when the tool was registered again since, with the same definition', async () => {
    const grants = new Grants({ store: memoryStore() })
    await grants.add(newGrant({ duration }))
    expect(await grants.find({ ...mail, input, replacedAt: 999 })).toBeDefined()
    expect(await grants.find({ ...mail, input, replacedAt: 1_000 })).toBeUndefined()
    expect(await grants.find({ ...mail, input })).toBeUndefined()
  })

  test('F16 counts when it was given to the tool that took the place, within the same millisecond', async () => {
    const grants = new Grants({ store: memoryStore() })
    const replaced = { ...mail, replacedAt: 1_000.5 }
    await grants.add(newGrant({ duration, scope: 'tool' }))
    const given = await grants.add(newGrant({ duration, ...replaced }))
    expect(await grants.list()).toEqual([given])
    expect(await grants.find({ ...replaced, input })).toEqual(given)
    const other = await grants.add(newGrant({ duration, fingerprint: 'f2' }))
    expect(await grants.list()).toEqual([other])
  })
})

describe('grants', () => {
  test('P7 of two tools stay apart whatever their names hold', async () => {
    const grants = new Grants({ store: memoryStore() })
    const names = ['a', 'a_b', '__proto__', 'constructor', 'x","y']
    const origins = ['app', 'mcp:a', 'mcp:a_b', 'mcp:a","a'] as const
    const tools = origins.flatMap((origin) => names.map((toolName) => ({ ...mail, origin, toolName })))
    for (const [index, tool] of tools.entries()) {
      await grants.add(newGrant({ ...tool, duration: index % 2 ? 'always' : 'session', input: { index } }))
    }
    for (const [index, tool] of tools.entries()) {
      const found = await Promise.all(
        tools.map((_, other) => grants.find({ ...tool, input: { index: other } })),
      )
      expect(found.flatMap((grant, other) => (grant === undefined ? [] : [other]))).toEqual([index])
    }
  })

  test('are listed newest first, of both durations', async () => {
    const grants = new Grants({ store: memoryStore() })
    for (const [index, duration] of (['always', 'session', 'always', 'session'] as const).entries()) {
      vi.setSystemTime(1_000 + index)
      await grants.add(newGrant({ duration, input: { index } }))
    }
    const listed = await grants.list()
    expect(listed.map((grant) => [grant.input?.index, grant.duration])).toEqual([
      [3, 'session'],
      [2, 'always'],
      [1, 'session'],
      [0, 'always'],
    ])
  })

  test('given always are there for the next page, those of the session are not', async () => {
    const store = memoryStore()
    const first = new Grants({ store })
    await first.add(newGrant({ input: { n: 1 } }))
    const always = await first.add(newGrant({ duration: 'always', input: { n: 2 } }))
    const second = new Grants({ store })
    expect(await second.list()).toEqual([always])
    await second.revoke(always.id)
    expect(await first.find({ ...mail, input: { n: 2 } })).toBeUndefined()
  })

  test('tell of each change, here and through the store, once, until nobody listens', async () => {
    const store = memoryStore()
    const [here, there] = [new Grants({ store }), new Grants({ store })]
    const heard = vi.fn()
    const stop = here.subscribe(heard)
    await here.add(newGrant())
    expect(heard).toHaveBeenCalledTimes(1)
    const always = await there.add(newGrant({ duration: 'always' }))
    expect(heard).toHaveBeenCalledTimes(2)
    await here.find({ ...mail, input })
    await here.list()
    expect(heard).toHaveBeenCalledTimes(2)
    await here.revoke(always.id)
    expect(heard).toHaveBeenCalledTimes(3)
    stop()
    await there.add(newGrant({ duration: 'always' }))
    await here.revokeAll()
    expect(heard).toHaveBeenCalledTimes(3)
  })

  test('tell of their own changes over a store that tells nothing', async () => {
    const { subscribe: _none, ...silent } = memoryStore()
    const grants = new Grants({ store: silent })
    const heard = vi.fn()
    grants.subscribe(heard)
    await grants.add(newGrant({ duration: 'always' }))
    await grants.find({ ...mail, input, fingerprint: 'f2' })
    expect(heard).toHaveBeenCalledTimes(2)
  })

  test('refuse a grant of one input without the input, and an unknown option', async () => {
    await expect(new Grants().add({ ...mail, scope: 'input', duration: 'session' })).rejects.toThrow(
      'the scope "input" needs the input',
    )
    expect(() => new Grants({ storage: memoryStore() } as never)).toThrow('Did you mean "store"?')
  })
})

describe('what is stored', () => {
  const key = '["mcp:mail","send_email"]'
  const stored = {
    id: 'grant_1',
    ...mail,
    scope: 'tool',
    duration: 'always',
    grantedAt: 5,
  }

  test.each([
    ['a whole grant', stored, true],
    ['another tool’s grant', { ...stored, toolName: 'other' }, false],
    ['another origin’s grant', { ...stored, origin: 'app' }, false],
    ['no id', { ...stored, id: undefined }, false],
    ['an empty id', { ...stored, id: '' }, false],
    ['no fingerprint', { ...stored, fingerprint: undefined }, false],
    ['a fingerprint that is no text', { ...stored, fingerprint: ['f1'] }, false],
    ['an unknown scope', { ...stored, scope: 'all' }, false],
    ['the scope of an input without one', { ...stored, scope: 'input' }, false],
    ['an input that is a list', { ...stored, scope: 'input', input: [] }, false],
    ['an input that is not JSON', { ...stored, scope: 'input', input: { at: new Map() } }, false],
    ['an unknown duration', { ...stored, duration: 'never' }, false],
    ['no time', { ...stored, grantedAt: 'yesterday' }, false],
    ['the time NaN', { ...stored, grantedAt: Number.NaN }, false],
    ['a time that no clock shows', { ...stored, grantedAt: 1e20 }, false],
    ['nothing', null, false],
    ['a text', 'tool', false],
  ])('%s: allows something %#', async (_what, value, allows) => {
    const store = memoryStore()
    await store.update(key, () => [value])
    const grants = new Grants({ store })
    expect((await grants.find({ ...mail, input: {} })) !== undefined).toBe(allows)
    expect(await grants.list()).toHaveLength(allows ? 1 : 0)
    await grants.add(newGrant({ duration: 'always' }))
    expect(await grants.find({ ...mail, input })).toBeDefined()
    await grants.revokeAll()
    expect(await store.entries()).toEqual([])
  })

  test('is no list: allows nothing', async () => {
    const store = memoryStore()
    await store.update(key, () => ({ 0: stored, length: 1 }))
    expect(await new Grants({ store }).find({ ...mail, input: {} })).toBeUndefined()
  })
})

describe('without storage', () => {
  const failing = (error: unknown): KeyValueStore => {
    const fail = () => Promise.reject(error)
    return { get: fail, update: fail, entries: fail, delete: fail }
  }
  const insecure = new StorageError('No secure context.', 'insecure-context')
  const broken = new DOMException('disk', 'UnknownError')

  test.each([
    ['on a server', undefined],
    ['on an insecure page', failing(insecure)],
  ])('%s always becomes session, with a warning, and can be revoked', async (_where, store) => {
    const grants = new Grants(store && { store })
    expect(grants.warning).toBeUndefined()
    const given = await grants.add(newGrant({ duration: 'always' }))
    expect(given.duration).toBe('session')
    expect(grants.warning).toMatch(/^What is allowed "always" holds only until this page is closed\. .+/)
    expect(await grants.find({ ...mail, input })).toEqual(given)
    expect(await grants.list()).toEqual([given])
    await grants.revoke(given.id)
    await grants.revoke(given.id)
    await grants.revokeAll()
    expect(await grants.find({ ...mail, input })).toBeUndefined()
  })

  test('a storage that fails allows nothing, and a revocation that fails says so', async () => {
    const store = memoryStore()
    const always = await new Grants({ store }).add(newGrant({ duration: 'always' }))
    const grants = new Grants({ store: { ...store, ...failing(broken) } })
    const session = await grants.add(newGrant({ input: { n: 1 } }))
    expect(await grants.find({ ...mail, input })).toBeUndefined()
    expect(await grants.find({ ...mail, input: { n: 1 } })).toEqual(session)
    expect(await grants.list()).toEqual([session])
    await expect(grants.revoke(always.id)).rejects.toBe(broken)
    await grants.revoke(session.id)
    expect(await grants.list()).toEqual([])
    await grants.add(newGrant())
    await expect(grants.revokeAll()).rejects.toBe(broken)
    expect(await grants.list()).toEqual([])
  })

  test('a grant is not given when an old one cannot be deleted', async () => {
    const store = memoryStore()
    const first = new Grants({ store })
    await first.add(newGrant({ duration: 'always', input: { n: 1 } }))
    vi.setSystemTime(2_000)
    const current = await first.add(newGrant({ duration: 'always' }))
    const grants = new Grants({ store: { ...store, update: () => Promise.reject(broken) } })
    expect(await grants.find({ ...mail, input, replacedAt: 1_500 })).toBeUndefined()
    expect(await first.find({ ...mail, input, replacedAt: 1_500 })).toEqual(current)
  })

  test('the warning goes away with the next grant that is kept', async () => {
    const store = memoryStore()
    let full = true
    const update: KeyValueStore['update'] = (key, change) =>
      full ? Promise.reject(new StorageError('No room.', 'quota')) : store.update(key, change)
    const grants = new Grants({ store: { ...store, update } })
    await grants.add(newGrant({ duration: 'always' }))
    await grants.list()
    expect(grants.warning).toContain('No room.')
    full = false
    await grants.add(newGrant({ duration: 'always', input: {} }))
    expect(grants.warning).toBeUndefined()
  })
})

/** What grants are, said as a list that is filtered. */
class Model {
  grants: readonly Grant[] = []

  /** Leaves out what was given to an earlier tool of this name. */
  replace(tool: GrantedTool, isLookedAt: (grant: Grant) => boolean = () => true): void {
    this.drop(
      (grant) =>
        isNamed(grant, tool) &&
        isLookedAt(grant) &&
        (grant.fingerprint !== tool.fingerprint || grant.grantedAt <= (tool.replacedAt ?? 0)),
    )
  }

  drop(isUnwanted: (grant: Grant) => boolean): void {
    this.grants = this.grants.filter((grant) => !isUnwanted(grant))
  }

  add(added: Grant, tool: GrantedTool): void {
    // Only where it is kept itself is anything looked at.
    this.replace(tool, ({ duration }) => duration === added.duration)
    this.drop(
      (grant) =>
        isNamed(grant, tool) &&
        grant.duration === added.duration &&
        grant.scope === added.scope &&
        grant.input?.n === added.input?.n,
    )
    this.grants = [added, ...this.grants]
  }

  /** All grants that may be found: any of them is right. */
  allowed(tool: GrantedTool, n: number, exactOnly: boolean): readonly (Grant | undefined)[] {
    this.replace(tool)
    const own = this.grants.filter((grant) => isNamed(grant, tool))
    const exact = own.filter(({ input }) => input?.n === n)
    const found = exact.length > 0 || exactOnly ? exact : own.filter(({ scope }) => scope === 'tool')
    return found.length > 0 ? found : [undefined]
  }
}

function isNamed(one: Pick<Grant, 'origin' | 'toolName'>, other: typeof one): boolean {
  return one.origin === other.origin && one.toolName === other.toolName
}

const anyCall = fc.record({
  origin: fc.constantFrom('app' as const, 'mcp:a' as const),
  toolName: fc.constantFrom('a', 'b'),
  fingerprint: fc.constantFrom('f1', 'f1', 'f1', 'f2'),
  input: fc.record({ n: fc.nat(2) }),
})
const anyStep = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    call: anyCall,
    scope: fc.constantFrom('input' as const, 'input' as const, 'tool' as const),
    duration: fc.constantFrom('session' as const, 'always' as const),
  }),
  {
    arbitrary: fc.record({ kind: fc.constant('find' as const), call: anyCall, exactOnly: fc.boolean() }),
    weight: 2,
  },
  fc.record({ kind: fc.constant('replace' as const), call: anyCall }),
  fc.record({ kind: fc.constant('revoke' as const), index: fc.nat(5) }),
  fc.record({ kind: fc.constant('reload' as const) }),
)

test('any sequence of adding, asking, revoking, replacing and reloading agrees with a list that is filtered', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 40 }), async (steps) => {
      const store = memoryStore()
      const model = new Model()
      const replacements = new Map<string, number>()
      let grants = new Grants({ store })
      for (const [index, step] of steps.entries()) {
        vi.setSystemTime(1_000 + index)
        if (step.kind === 'reload') {
          grants = new Grants({ store })
          model.drop(({ duration }) => duration === 'session')
        } else if (step.kind === 'revoke') {
          const { id } = (await grants.list())[step.index] ?? { id: 'unknown' }
          await grants.revoke(id)
          model.drop((grant) => grant.id === id)
        } else {
          const { call } = step
          const key = `${call.origin} ${call.toolName}`
          if (step.kind === 'replace') replacements.set(key, 1_000 + index)
          const tool = { ...call, replacedAt: replacements.get(key) }
          if (step.kind === 'add') model.add(await grants.add({ ...tool, ...step }), tool)
          if (step.kind === 'find') {
            const found = await grants.find({ ...tool, exactOnly: step.exactOnly })
            expect(model.allowed(tool, call.input.n, step.exactOnly)).toContainEqual(found)
          }
        }
        expect(await grants.list()).toEqual(model.grants)
      }
    }),
  )
})
