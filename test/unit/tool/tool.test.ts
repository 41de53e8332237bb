import { jsonSchema, Tool, ToolExecutor, ToolRegistrationError, ToolRegistry, tool } from 'offstage'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'

const base = { name: 'good', description: 'Good.', execute: () => 'ok' }

function define(options: object): unknown {
  return tool({ ...base, ...options } as typeof base)
}

describe('tool()', () => {
  it.each(['a', 'get_weather', 'A-1', 'constructor', '__proto__', 'x'.repeat(64)])(
    'takes the name %s',
    (name) => {
      expect(tool({ ...base, name }).definition.name).toBe(name)
    },
  )

  it.each(['', 'get weather', 'naïve', 'a.b', 'x'.repeat(65), 5, undefined])(
    'refuses the name %s',
    (name) => {
      expect(() => define({ name })).toThrow(/is not valid\. Use 1 to 64 letters/)
    },
  )

  it.each([
    [{ description: ' ' }, 'the description is empty'],
    [{ execute: undefined }, 'Add execute: (input, context) => …'],
    [{ maxTries: 2 }, 'there is no option "maxTries"'],
    [{ maxRetries: 1.5 }, 'maxRetries must be a whole number of at least 0'],
    [{ paralelSafe: true }, 'Did you mean "parallelSafe"?'],
    [{ parameters: {} }, 'Did you mean "inputSchema"?'],
    [{ requiresConfirmation: true }, 'Did you mean "needsApproval"?'],
    [{ timeoutMs: 0 }, 'give milliseconds above 0'],
    [{ timeoutMs: '5s' }, 'give milliseconds above 0'],
    [{ concurrencyKey: () => 'a' }, 'concurrencyKey needs parallelSafe: true'],
    [
      { concurrencyKey: 'path', parallelSafe: true },
      'concurrencyKey must be a function of the input, got "path"',
    ],
    [{ parallelSafe: 'yes' }, 'parallelSafe must be true or false, got "yes"'],
    [{ needsApproval: 'always' }, 'needsApproval must be true or false, or a function of the input'],
    [{ check: true }, 'check must be a function'],
    [{ examples: 'give them their money back' }, 'examples must be a list of strings'],
    [{ effect: 'non' }, 'effect must be one of none, local, external, destructive'],
    [{ egress: 'api.example' }, 'egress must be true, false or a list of hosts'],
    [{ reads: 'secret' }, 'reads must be one of public, private'],
    [{ externalContent: 1 }, 'externalContent must be true or false'],
    [{ version: 2 }, 'version must be a string'],
    [{ metadata: 'x' }, 'metadata must be an object'],
    [{ metadata: { at: new Map() } }, 'metadata must be JSON: at "at": a Map'],
    [{ inputSchema: { type: 'object' } }, 'wrap it as jsonSchema({ … })'],
    [{ inputSchema: v.email() }, 'Pass one of Valibot, zod 4 or ArkType'],
    [{ inputSchema: null }, 'not a schema'],
    [{ inputSchema: v.string() }, 'the root must be an object, got {"type":"string"}'],
    [{ outputSchema: v.date() }, 'outputSchema: the schema cannot be expressed'],
  ])('says what is wrong with %j, naming the tool', (options, message) => {
    expect(() => define(options)).toThrow(message)
    expect(() => define(options)).toThrow('tool "good"')
    expect(() => define(options)).toThrow(ToolRegistrationError)
  })

  it.each([undefined, null, 'x', []])('says what is missing when called with %j', (options) => {
    expect(() => tool(options as never)).toThrow('there is no execute function')
  })

  it('A20 always shows empty properties for a tool without parameters, and {} runs it', async () => {
    const empty = { type: 'object', properties: {} }
    const forms = [undefined, jsonSchema(empty), v.object({}), jsonSchema({ ...empty, required: [] })]
    for (const inputSchema of forms) {
      const registry = new ToolRegistry()
      registry.register(tool({ ...base, ...(inputSchema === undefined ? {} : { inputSchema }) }))
      const [shown] = registry.toOpenAISchema()
      expect(JSON.stringify(shown?.function.parameters)).toBe('{"type":"object","properties":{}}')
      expect((await registry.executeTool('good', {})).response.text).toBe('ok')
    }
  })

  it('freezes the definition, and leaves the lists of the app alone', () => {
    const hosts = ['api.example']
    const { definition } = tool({ ...base, egress: hosts, metadata: { a: { b: 1 } } })
    expect(Object.isFrozen(definition.inputSchema)).toBe(true)
    expect(Object.isFrozen(definition.metadata?.a)).toBe(true)
    hosts.push('other.example')
    expect(definition.labels.egress).toEqual(['api.example'])
  })

  it('keeps this of the options inside execute', async () => {
    const options = {
      ...base,
      greeting: 'hello',
      execute() {
        return this.name
      },
    }
    const { greeting: _greeting, ...known } = options
    const executor = new ToolExecutor({ tools: [tool(known)] })
    expect((await executor.execute({ name: 'good', input: {} })).response.text).toBe('good')
  })
})

describe('Tool', () => {
  it('is extended for a tool with state', async () => {
    class Counter extends Tool<{ by: number }> {
      #count = 0
      constructor() {
        super({ name: 'count', description: 'Count up.', inputSchema: v.object({ by: v.number() }) })
      }
      execute({ by }: { by: number }): number {
        this.#count += by
        return this.#count
      }
    }
    const executor = new ToolExecutor({ tools: [new Counter()] })
    await executor.execute({ name: 'count', input: { by: 2 } })
    expect((await executor.execute({ name: 'count', input: { by: 3 } })).response).toMatchObject({
      text: '5',
      data: 5,
    })
  })
})
