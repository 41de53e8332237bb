import { Agent, type ToolDefinition, ToolRegistry } from 'offstage'
import { useTool } from 'offstage/react'
import { ScriptedModel } from 'offstage/testing'
import { createElement, useState } from 'react'
import * as v from 'valibot'
import { expect, test, vi } from 'vitest'
import { show } from './render.ts'

const inputSchema = v.object({ text: v.string() })

/** A registry, and how often a tool was added to it or taken away. */
function counted() {
  const registry = new ToolRegistry()
  const register = vi.spyOn(registry, 'register')
  return { registry, register, names: () => registry.list().map(({ name }) => name) }
}

function texts(results: readonly { readonly response: { readonly text: string } }[] = []): string[] {
  return results.map(({ response }) => response.text)
}

const Appender = ({ registry }: { registry: ToolRegistry }) => {
  const [index, setIndex] = useState(0)
  useTool(registry, { name: 'append', description: 'Append.', inputSchema }, ({ text }) => {
    setIndex(index + 1)
    return `${text} at ${index}`
  })
  return createElement('p', null, index)
}

const Sayer = ({ registry, answer }: { registry: ToolRegistry; answer: () => unknown }) => {
  useTool(registry, { name: 'say', description: 'Say it.' }, answer)
  return null
}

const Counter = ({ registry, most, what }: { registry: ToolRegistry; most: number; what: string }) => {
  const schema = v.object({ n: v.pipe(v.number(), v.maxValue(most)) })
  const options = { name: what, description: 'Count.', inputSchema: schema, needsApproval: () => most > 5 }
  useTool(registry, options, ({ n }) => n + most)
  return null
}

test('L03 three calls in one turn each see what the one before has set, and nothing is registered anew', async () => {
  const { registry, register } = counted()
  const page = show(Appender, { registry })
  await vi.waitFor(() => expect(registry.get('append')).toBeDefined())
  // Once for each mount of StrictMode.
  expect(register).toHaveBeenCalledTimes(2)
  const turn = ['a', 'b', 'c'].map((text) => ScriptedModel.toolCall('append', { text }))
  const agent = new Agent({ model: new ScriptedModel([turn, 'done']), toolRegistry: registry })
  const { steps } = await agent.run('go')
  expect(texts(steps[0]?.results)).toEqual(['a at 0', 'b at 1', 'c at 2'])
  await vi.waitFor(() => expect(page.text()).toBe('3'))
  expect(register).toHaveBeenCalledTimes(2)
})

test('L01 L10 it is there once under StrictMode, gone on unmount, and there again in the next component', async () => {
  const { registry, names } = counted()
  const first = show(Sayer, { registry, answer: () => 'old' })
  await vi.waitFor(() => expect(names()).toEqual(['say']))
  first.render({ registry, answer: () => 'new' })
  await vi.waitFor(async () => expect((await registry.executeTool('say')).response.text).toBe('new'))
  first.unmount()
  expect(names()).toEqual([])
  expect(await registry.executeTool('say')).toMatchObject({ outcome: 'unknown' })
  show(Sayer, { registry, answer: () => 'again' })
  await vi.waitFor(() => expect(names()).toEqual(['say']))
})

test('item 35: it is registered anew when the model would see another one, and only then', async () => {
  const { registry, register } = counted()
  const page = show(Counter, { registry, most: 3, what: 'count' })
  const schemaOf = (definition: ToolDefinition | undefined) => definition?.inputSchema
  await vi.waitFor(() => expect(register).toHaveBeenCalledTimes(2))
  // A schema that is made anew, and says the same.
  page.render({ registry, most: 3, what: 'count' })
  page.render({ registry, most: 4, what: 'count' })
  await vi.waitFor(() =>
    expect(schemaOf(registry.get('count')?.definition)).toMatchObject({ properties: { n: { maximum: 4 } } }),
  )
  expect(register).toHaveBeenCalledTimes(3)
  expect(await registry.executeTool('count', { n: 4 })).toMatchObject({
    outcome: 'success',
    response: { text: '8' },
  })
  page.render({ registry, most: 9, what: 'count_more' })
  await vi.waitFor(() => expect(registry.list().map(({ name }) => name)).toEqual(['count_more']))
  // The newest rule asks, and there is nobody to ask.
  expect(await registry.executeTool('count_more', { n: 1 })).toMatchObject({ outcome: 'denied' })
})

test('L11 a call that outlives its component ends', async () => {
  const { registry } = counted()
  let finish = () => {}
  const answer = async () => {
    await new Promise<void>((resolve) => {
      finish = resolve
    })
    return 'done'
  }
  const page = show(Sayer, { registry, answer })
  await vi.waitFor(() => expect(registry.get('say')).toBeDefined())
  const running = registry.executeTool('say')
  await new Promise((resolve) => setTimeout(resolve, 20))
  page.unmount()
  finish()
  expect(await running).toMatchObject({ outcome: 'success', response: { text: 'done' } })
})
