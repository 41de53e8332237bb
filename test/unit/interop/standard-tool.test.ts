import { tool } from 'offstage'
import { standardTool } from 'offstage/interop'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { hosts } from '../../support/interop/ai-sdk.ts'
import { realPackage } from '../../support/interop/real-packages.ts'

const weather = tool({
  name: 'get_weather',
  description: 'Tells the weather.',
  inputSchema: v.object({ city: v.string(), days: v.optional(v.number(), 1) }),
  execute: () => 'sunny',
})

describe.each(hosts)('standardTool in %s', (_name, load) => {
  it('is taken as it is: the schema is sent, and checks what comes back', async () => {
    const { sdk, model } = await load()
    const seen: unknown[] = []
    const theirs = sdk.tool({ ...standardTool(weather), execute: async (input: unknown) => seen.push(input) })
    const scripted = model([
      [
        { id: 'a', name: 'get_weather', input: { city: 'Ulm' } },
        { id: 'b', name: 'get_weather', input: { city: 7 } },
      ],
      'ok',
    ])
    const stopWhen = ({ steps }: { steps: unknown[] }) => steps.length > 3
    const run = await sdk.generateText({
      model: scripted,
      tools: { get_weather: theirs },
      prompt: 'go',
      stopWhen,
    })
    expect(seen).toEqual([{ city: 'Ulm', days: 1 }])
    expect(JSON.stringify(run.steps[0]?.content)).toContain('tool-error')
  })
})

interface TanStack {
  toolDefinition(config: object): {
    server(execute: (input: unknown) => unknown): { name: string; inputSchema: object }
  }
  convertSchemaToJsonSchema(schema: object): object
}

it('is taken as it is by TanStack AI', async () => {
  const { toolDefinition, convertSchemaToJsonSchema } = await realPackage<TanStack>('@tanstack/ai')
  const made = toolDefinition(standardTool(weather)).server(() => 'sunny')
  expect(made.name).toBe('get_weather')
  expect(convertSchemaToJsonSchema(made.inputSchema)).toMatchObject({
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  })
})

interface OpenAIAgents {
  tool(options: object): {
    name: string
    parameters: object
    strict: boolean
    invoke(context: object, input: string): Promise<unknown>
  }
  RunContext: new () => object
}

it('is taken as it is by OpenAI Agents, in strict mode too', async () => {
  const { tool: make, RunContext } = await realPackage<OpenAIAgents>('@openai/agents-core')
  const seen: unknown[] = []
  const theirs = make({
    ...standardTool(weather, { strict: true }),
    execute: async (input: unknown) => {
      seen.push(input)
      return 'sunny'
    },
  })
  expect(theirs).toMatchObject({
    name: 'get_weather',
    strict: true,
    parameters: { additionalProperties: false, required: ['city', 'days'] },
  })
  expect(await theirs.invoke(new RunContext(), '{"city":"Ulm","days":null}')).toBe('sunny')
  expect(seen).toEqual([{ city: 'Ulm', days: 1 }])
})

it('is a Standard Schema by itself', async () => {
  const { '~standard': standard, name, description } = standardTool(weather)
  expect({ name, description, vendor: standard.vendor }).toEqual({
    name: 'get_weather',
    description: 'Tells the weather.',
    vendor: 'offstage',
  })
  expect(await standard.validate({ city: 'Ulm' })).toEqual({ value: { city: 'Ulm', days: 1 } })
  expect(await standard.validate({ city: 7 })).toMatchObject({ issues: [{ path: ['city'] }] })
  expect(standard.jsonSchema.input()).toEqual(weather.definition.inputSchema)
})

it('a tool that strict mode cannot take is refused with strict', () => {
  const open = tool({
    name: 'open',
    description: 'Takes anything.',
    inputSchema: v.looseObject({}),
    execute: () => 1,
  })
  expect(() => standardTool(open, { strict: true })).toThrow('open cannot be sent in strict mode')
  expect(() => standardTool({} as never)).toThrow('not a tool')
})
