import { ToolExecutor, Toolkit, ToolRegistry, tool } from 'offstage'
import { CalculatorTool } from 'offstage/tools'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'

const add = tool({
  name: 'add',
  description: 'Adds.',
  inputSchema: v.object({ a: v.number(), b: v.optional(v.number(), 1) }),
  execute: ({ a, b }, { toolName }) => `${toolName} ${a + b}`,
})
const divide = tool({ name: 'divide', description: 'Divides.', execute: () => 'divided' })

function names(kit: Toolkit): string[] {
  return kit.tools.map(({ name }) => name)
}

describe('Toolkit', () => {
  it('keeps names as they are unless prefix is true', () => {
    expect(names(new Toolkit({ name: 'math', tools: [add, divide] }))).toEqual(['add', 'divide'])
    expect(names(new Toolkit({ name: 'math', tools: [add, divide], prefix: true }))).toEqual([
      'math_add',
      'math_divide',
    ])
  })

  it('runs a prefixed tool, with its schema and its origin', async () => {
    const kit = new Toolkit({ name: 'math', tools: [add, new CalculatorTool()], prefix: true })
    const executor = new ToolExecutor({ tools: [kit, divide] })
    const added = await executor.execute({ name: 'math_add', input: { a: 2 } })
    expect(added.response.text).toBe('math_add 3')
    expect(added.origin).toBe('app')
    const computed = await executor.execute({ name: 'math_calculator', input: { expression: '2*3' } })
    expect(computed).toMatchObject({ origin: 'builtin', response: { text: '6' } })
  })

  it('keeps only what include names, without what exclude names', () => {
    expect(names(new Toolkit({ name: 'math', tools: [add, divide], include: ['add'] }))).toEqual(['add'])
    expect(
      names(new Toolkit({ name: 'math', tools: [add, divide], exclude: ['add'], prefix: true })),
    ).toEqual(['math_divide'])
  })

  it('hands its limits down to the tools that set none', () => {
    const own = tool({ name: 'own', description: 'Own.', timeoutMs: 7, maxRetries: 0, execute: () => '' })
    const kit = new Toolkit({ name: 'math', tools: [divide, own], timeoutMs: 50, maxRetries: 3 })
    expect(kit.tools.map(({ definition }) => definition)).toMatchObject([
      { name: 'divide', timeoutMs: 50, maxRetries: 3 },
      { name: 'own', timeoutMs: 7, maxRetries: 0 },
    ])
    expect(new Toolkit({ name: 'math', tools: [own], timeoutMs: 50, maxRetries: 3 }).tools[0]).toBe(own)
  })

  it('has a person asked about the named tools, or all, by the names they were defined with', () => {
    const asked = (needsApproval: readonly string[] | 'all') =>
      new Toolkit({ name: 'math', tools: [add, divide], prefix: true, needsApproval }).tools.map(
        ({ definition }) => definition.needsApproval,
      )
    expect(asked(['divide'])).toEqual([false, true])
    expect(asked('all')).toEqual([true, true])
    expect(asked([])).toEqual([false, false])
  })

  it('asks even where the tool would decide by the input, and runs the tool as it is', async () => {
    const rarely = tool({
      name: 'rarely',
      description: 'Rarely asks.',
      needsApproval: () => false,
      execute: (_input, { approval }) => `ran, approved: ${approval?.approved}`,
    })
    const kit = new Toolkit({ name: 'kit', tools: [rarely], needsApproval: ['rarely'] })
    const executor = new ToolExecutor({ tools: [kit], confirm: () => true })
    const { response } = await executor.execute({ name: 'rarely', input: {} })
    expect(response.text).toBe('ran, approved: true')
  })

  it.each([
    [
      'needsApproval',
      { needsApproval: ['divid'] },
      'toolkit "math", needsApproval: there is no tool "divid" in it. Did you mean "divide"?',
    ],
    ['needsApproval for all', { needsApproval: true }, 'expected a list of tool names'],
    ['timeoutMs', { timeoutMs: 0 }, 'give milliseconds above 0'],
    ['maxRetries', { maxRetries: 1.5 }, 'give a whole number of at least 0'],
    ['include', { include: ['ad'] }, 'there is no tool "ad" in it. Did you mean "add"?'],
    ['exclude', { exclude: ['shell'] }, 'there is no tool "shell" in it. The tools are add, divide.'],
    ['a bare string', { include: 'add' }, 'expected a list of tool names'],
    ['prefix', { prefix: 'm_' }, 'expected true or false'],
    ['an option', { includes: ['add'] }, 'Did you mean "include"?'],
    ['a name', { name: 'my kit' }, 'the tool name "my kit" is not valid'],
    ['tools', { tools: [add, { name: 'x' }] }, 'expected a list of tools made with tool({ … })'],
    ['twins', { tools: [add, add] }, 'two tools are named "add"'],
    ['a long prefix', { name: 'k'.repeat(62), prefix: true }, 'Use 1 to 64 letters'],
  ])('says what is wrong with %s', (_what, options, message) => {
    const all = { name: 'math', tools: [add, divide], ...options }
    expect(() => new Toolkit(all as never)).toThrow(message)
  })
})

describe('a list of tools', () => {
  it.each([
    ['the options of a tool', [{ name: 'x', execute: () => 1 }], 'wrap it as tool({ … })'],
    ['a registry', [new ToolRegistry()], 'registry.toolset()'],
    ['an object with a list of other things', [{ tools: [{ name: 'x' }] }], 'tools[0] is not a tool'],
    ['no list', add, 'tools must be a list'],
    ['twins', [add, new Toolkit({ name: 'k', tools: [add] })], 'two tools are named "add"'],
  ])('says what to do with %s', (_what, tools, message) => {
    expect(() => new ToolExecutor({ tools: tools as never })).toThrow(message)
  })
})
