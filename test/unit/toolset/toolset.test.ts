import { dynamic, type StepContext, Toolkit, type ToolSource, Toolset } from 'offstage'
import { describe, expect, it, vi } from 'vitest'
import { middlewareOf } from '../../../src/toolset/listed-tool.ts'
import {
  answer,
  listed,
  mortal,
  namesOf,
  saying,
  sourceForRun,
  sourceForStep,
  sourceOf,
  stepOf,
} from './sources.ts'

describe('Toolset', () => {
  it('has a method for each wrapper, which gives a new toolset', async () => {
    const tools = new Toolset([
      saying('read'),
      new Toolkit({ name: 'kit', tools: [saying('delete'), saying('old')] }),
    ])
    const changed = tools
      .renamed({ remove: 'delete' })
      .filtered(['read', 'remove'])
      .approvalRequired('remove')
      .labelled({ effect: 'destructive' }, 'remove')
      .prepared((definition) => ({ ...definition, timeoutMs: 50 }))
      .wrapped({ name: 'guard', before: () => {} })
      .prefixed('files')
    expect(await namesOf(tools)).toEqual(['read', 'delete', 'old'])
    expect(await namesOf(changed)).toEqual(['files_read', 'files_remove'])
    const remove = await listed(changed, 'files_remove')
    expect(remove.definition).toMatchObject({
      needsApproval: true,
      timeoutMs: 50,
      labels: { effect: 'destructive' },
    })
    expect(middlewareOf(remove)).toHaveLength(1)
    expect(await answer(changed, 'files_remove')).toBe('delete')
  })

  it('serves all runs itself where its source does, else hands out the instance of the source', async () => {
    const plain = new Toolset([saying('a')])
    expect(await sourceForRun(plain, stepOf())).toBe(plain)
    expect(await sourceForStep(plain, stepOf())).toBe(plain)
    const changing = new Toolset(dynamic(({ runId }: StepContext) => [saying(`of_${runId}`)])).prefixed('my')
    const run = await sourceForRun(changing, stepOf())
    expect(run).not.toBe(changing)
    expect(await namesOf(run)).toEqual(['my_of_run'])
    expect(changing.dynamic).toBe(true)
  })

  it('is what its source is: label, hint, notes, start, changes, end', async () => {
    const close = vi.fn(async () => {})
    const listeners = new Set<() => void>()
    const source: ToolSource = {
      ...mortal('a', 'the server'),
      conflictHint: 'Give it another namespace.',
      notes: () => [{ kind: 'dropped', tool: 'b', reason: 'why not' }],
      subscribe: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      close,
    }
    const toolset = new Toolset(source)
    expect(toolset).toMatchObject({
      label: 'the server',
      conflictHint: 'Give it another namespace.',
      reportsStart: true,
    })
    expect(toolset.dynamic).toBe(false)
    expect(toolset.notes()).toHaveLength(1)
    toolset.subscribe(() => {})()
    expect(listeners.size).toBe(0)
    await toolset.close()
    expect(close).toHaveBeenCalledOnce()
  })

  it('of a bare source has nothing to tell', async () => {
    const { list, preflight, call } = sourceOf('a')
    const toolset = new Toolset({ list, preflight, call })
    expect(toolset).not.toHaveProperty('label')
    expect(toolset).not.toHaveProperty('conflictHint')
    expect(toolset.reportsStart).toBe(false)
    expect(toolset.notes()).toEqual([])
    toolset.subscribe(() => {})()
    await toolset.close()
  })

  it('refuses what holds no tools', () => {
    expect(() => new Toolset(saying('a') as never)).toThrow('new Toolset(): tools must be a list')
  })
})
