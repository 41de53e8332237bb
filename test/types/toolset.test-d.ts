import {
  approvalRequired,
  dynamic,
  external,
  filtered,
  type RunContext,
  renamed,
  type StepContext,
  selectTools,
  type ToolSource,
  Toolset,
  tool,
  WorkerToolset,
} from 'offstage'
import * as v from 'valibot'
import { describe, expectTypeOf, it } from 'vitest'
import type { OfferedName } from '../../src/toolset/tool-selector.ts'

const read = tool({ name: 'read', description: 'Reads.', execute: () => '' })
const remove = tool({
  name: 'remove',
  description: 'Removes.',
  execute: (_input, context: RunContext<{ user: string }>) => context.deps.user,
})
const tools = [read, remove]
declare const source: ToolSource
const workerTools = new WorkerToolset<typeof tools>(() => undefined as unknown as Worker)

describe('selectors', () => {
  it('know the names of a worker’s tools', () => {
    expectTypeOf<OfferedName<typeof workerTools>>().toEqualTypeOf<'read' | 'remove'>()
    expectTypeOf<OfferedName<ToolSource>>().toEqualTypeOf<string>()
    void filtered(workerTools, ['read', 'remove'])
    void approvalRequired(workerTools, 'remove')
    void renamed(workerTools, { drop: 'remove' })
    // @ts-expect-error there is no tool of this name
    void approvalRequired(workerTools, 'remov')
    // @ts-expect-error there is no tool of this name
    void filtered(workerTools, ['read', 'remov'])
    // @ts-expect-error there is no tool of this name
    void renamed(workerTools, { drop: 'remov' })
  })

  it('take any name where the names are not known', () => {
    void filtered(source, 'anything')
    void new Toolset([read]).filtered(['anything'])
  })

  it('know the deps that a function says it reads', () => {
    void filtered(source, (_tool, { deps }: StepContext<{ admin: boolean }>) => deps.admin)
    void approvalRequired(
      source,
      'all',
      (_input, _tool, { deps }: StepContext<{ admin: boolean }>) => !deps.admin,
    )
    void selectTools(source, {
      select: (_tool, { deps }: StepContext<{ admin: boolean }>) => deps.admin || 'no admin',
    })
    // @ts-expect-error nobody said what the deps are
    void filtered(source, (_tool, { deps }) => deps.admin)
  })
})

describe('dynamic()', () => {
  it('gives tools that need no more than the deps of its context', () => {
    void dynamic(({ deps }: StepContext<{ user: string }>) => (deps.user === 'ada' ? [read, remove] : null))
    void dynamic<{ user: string }>(async () => [remove, source], {
      cache: { key: ({ deps }) => deps.user, ttlMs: 1, maxEntries: 1 },
    })
    // @ts-expect-error remove needs a user
    void dynamic<{ team: string }>(() => [remove])
  })
})

describe('external()', () => {
  it('takes the options of a tool, without a body', () => {
    const options = { name: 'ask', description: 'Asks.', inputSchema: v.object({ question: v.string() }) }
    void external([{ ...options, needsApproval: (input: { question: string }) => input.question !== '' }])
    // @ts-expect-error an external tool has no body
    void external([{ name: 'ask', description: 'Asks.', execute: () => '' }])
  })
})
