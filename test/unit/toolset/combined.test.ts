import {
  type ExecutionEvent,
  type ListedTool,
  ToolExecutor,
  ToolRegistry,
  type ToolSource,
  tool,
} from 'offstage'
import { describe, expect, it, vi } from 'vitest'

function answering(name: string, answer: string) {
  return tool({ name, description: `Says ${answer}.`, parallelSafe: true, execute: () => answer })
}

function registryOf(...tools: ReturnType<typeof answering>[]): ToolRegistry {
  const registry = new ToolRegistry()
  registry.registerAll(tools)
  return registry
}

/** A source of another maker: it does not report starts, and has its own checks. */
async function foreignSource(name: string): Promise<ToolSource & { readonly close: () => Promise<void> }> {
  const inner = registryOf(answering(name, 'foreign')).toolset()
  const listed: readonly ListedTool[] = await inner.list()
  return {
    list: async () => listed,
    preflight: async (_name, input, options) => {
      const answer = await inner.preflight(name, input, options)
      return answer.kind === 'ready' ? { ...answer, needsApproval: true, reasons: ['foreign'] } : answer
    },
    call: (_name, input, { onStart: _unused, ...options } = {}) => inner.call(name, input, options),
    close: vi.fn(async () => {}),
  }
}

describe('several sources in one list', () => {
  it('keep their order, and each call goes to the one that has the tool', async () => {
    const first = registryOf(answering('a', 'first'))
    const second = registryOf(answering('b', 'second'))
    const own = answering('c', 'own')
    const executor = new ToolExecutor({ tools: [first.toolset(), own, second.toolset()] })
    const names = (await executor.list()).map(({ definition }) => definition.name)
    expect(names).toEqual(['c', 'a', 'b'])
    const results = await executor.executeStep(['a', 'b', 'c'].map((name) => ({ name, input: {} })))
    expect(results.map(({ response }) => response.text)).toEqual(['first', 'second', 'own'])
  })

  it('are listed at the same time', async () => {
    const waiting: (() => void)[] = []
    const slow = async (name: string): Promise<ToolSource> => {
      const source = await foreignSource(name)
      return {
        ...source,
        list: async () => {
          await new Promise<void>((resolve) => waiting.push(resolve))
          return source.list()
        },
      }
    }
    const executor = new ToolExecutor({ tools: [await slow('a'), await slow('b')] })
    const listing = executor.list()
    await vi.waitFor(() => expect(waiting).toHaveLength(2))
    for (const resolve of waiting) resolve()
    expect(await listing).toHaveLength(2)
  })

  it('of one name are an error that names it and both origins', async () => {
    const executor = new ToolExecutor({
      tools: [registryOf(answering('a', '1')).toolset(), registryOf(answering('a', '2')).toolset()],
    })
    await expect(executor.list()).rejects.toThrow(/Two tools are named "a".*"app".*"app"/)
  })

  it('are asked with their own checks, and the start of one that reports none is told all the same', async () => {
    const events: ExecutionEvent['type'][] = []
    const confirm = vi.fn(() => true)
    const executor = new ToolExecutor({
      tools: [answering('own', 'own'), await foreignSource('theirs')],
      confirm,
      onEvent: ({ type }) => events.push(type),
    })
    expect(await executor.execute({ name: 'theirs', input: {} })).toMatchObject({
      outcome: 'success',
      response: { text: 'foreign' },
      startedAt: expect.any(Number),
    })
    expect(confirm).toHaveBeenCalledWith(expect.objectContaining({ reasons: ['foreign'] }))
    expect(events).toEqual(['call', 'approval-requested', 'approval-answered', 'call-started', 'result'])
  })

  it('may lose a tool between the list and the call: the call says that it is gone', async () => {
    const registry = registryOf(answering('here', 'here'))
    const remove = registry.register(answering('brief', 'brief'))
    const source = registry.toolset()
    const executor = new ToolExecutor({
      tools: [source, registryOf(answering('other', 'other')).toolset()],
      middleware: [{ before: () => void remove() }],
    })
    const result = await executor.execute({ name: 'brief', input: {} })
    expect(result).toMatchObject({ outcome: 'error', error: { code: 'tool-failed' } })
    expect(result.response.text).toBe('The tool "brief" is gone.')
  })

  it('are all closed', async () => {
    const [one, two] = [await foreignSource('a'), await foreignSource('b')]
    await new ToolExecutor({ tools: [one, two] }).close()
    expect(one.close).toHaveBeenCalledOnce()
    expect(two.close).toHaveBeenCalledOnce()
  })
})
