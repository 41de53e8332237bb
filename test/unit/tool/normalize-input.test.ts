import { type JsonObject, jsonSchema, ToolRegistry, tool } from 'offstage'
import { describe, expect, it } from 'vitest'

const x = { type: 'object', properties: { x: { default: 1 } } }
const y = { type: 'object', properties: { y: { default: 2 } } }

async function run(schema: object, input: JsonObject) {
  const registry = new ToolRegistry()
  const inputSchema = jsonSchema({ type: 'object', ...schema } as JsonObject)
  registry.register(tool({ name: 't', description: 'T.', inputSchema, execute: () => 'ok' }))
  return registry.executeTool('t', input)
}

describe('the input that everyone sees', () => {
  it('gets no default of a branch as long as several branches may apply', async () => {
    expect((await run({ properties: { a: { anyOf: [x, y] } } }, { a: {} })).call.input).toEqual({ a: {} })
  })

  it('gets the defaults of the one branch that constants and types leave', async () => {
    const branches = [{ const: 'none' }, { type: 'string' }, { type: 'null' }, x]
    expect((await run({ properties: { a: { anyOf: branches } } }, { a: {} })).call.input).toEqual({
      a: { x: 1 },
    })
  })

  it('gets the defaults of a branch that another default decides', async () => {
    const branches = [
      { properties: { kind: { const: 'a' }, x: { default: 1 } }, required: ['kind'] },
      { properties: { kind: { const: 'b' } }, required: ['kind'] },
    ]
    const schema = { properties: { kind: { default: 'a' } }, oneOf: branches }
    expect((await run(schema, {})).call.input).toEqual({ kind: 'a', x: 1 })
  })

  it('keeps any key where one branch that may apply names none', async () => {
    const schema = { properties: { a: { anyOf: [x, { type: 'object' }] } } }
    expect((await run(schema, { a: { z: 1 } })).call.input).toEqual({ a: { z: 1 } })
  })

  it('keeps the keys of all branches when none may apply, so that the answer says what is wrong', async () => {
    const kinds = ['a', 'b'].map((kind) => ({ properties: { kind: { const: kind } }, required: ['kind'] }))
    const { response } = await run({ properties: { id: {} }, oneOf: kinds }, { id: 1, kind: 'c' })
    expect(response.text).toContain('parameter \'kind\': Instance does not match "a"')
    expect(response.text).not.toContain('required property')
  })

  it('keeps an unknown key that the schema refuses, so that it is refused', async () => {
    const { outcome } = await run({ properties: { a: {} }, unevaluatedProperties: false }, { z: 1 })
    expect(outcome).toBe('invalid')
  })
})

describe('the labels of a call', () => {
  it('are the strictest there are when a function throws or gives no such label', async () => {
    const registry = new ToolRegistry()
    registry.register(
      tool({
        name: 't',
        description: 'T.',
        effect: () => 'nothing' as never,
        egress: () => {
          throw new Error('broken')
        },
        reads: (async () => 'public') as never,
        externalContent: () => false,
        execute: () => 1,
      }),
    )
    expect(await registry.toolset().preflight('t', {})).toMatchObject({
      labels: { effect: 'destructive', egress: true, reads: 'private', externalContent: false },
    })
  })
})
