import {
  type ExecutionEvent,
  type ServedCall,
  type ServedName,
  type ToolPermissions,
  tool,
  WorkerToolset,
} from 'offstage'
import * as v from 'valibot'
import { describe, expectTypeOf, it } from 'vitest'

const add = tool({
  name: 'add',
  description: 'Add.',
  inputSchema: v.object({ a: v.number(), b: v.optional(v.number(), 1) }),
  execute: ({ a, b }) => a + b,
})
const up = tool({
  name: 'up',
  description: 'Uppercase.',
  inputSchema: v.object({ text: v.string() }),
  execute: ({ text }) => text.toUpperCase(),
})
const tools = [add, up]
declare const factory: () => Worker

describe('WorkerToolset<typeof tools>', () => {
  it('knows the names and the inputs, as they are before the schema applies', () => {
    const workerTools = new WorkerToolset<typeof tools>(factory)
    expectTypeOf<ServedName<typeof tools>>().toEqualTypeOf<'add' | 'up'>()
    void (() => workerTools.call('add', { a: 1 }))
    void (() => workerTools.call('up', { text: 'a' }))
    // @ts-expect-error there is no tool of this name
    void (() => workerTools.call('ad', { a: 1 }))
    // @ts-expect-error this is the input of the other tool
    void (() => workerTools.call('add', { text: 'a' }))
  })

  it('types permissions', () => {
    void ({ allow: ['add'] } satisfies ToolPermissions<ServedName<typeof tools>>)
    // @ts-expect-error there is no tool of this name
    void ({ deny: ['ad'] } satisfies ToolPermissions<ServedName<typeof tools>>)
  })

  it('types events: the name narrows the input', () => {
    const listen = (event: ExecutionEvent<ServedCall<typeof tools>>) => {
      if (event.type === 'call' && event.call.name === 'up')
        expectTypeOf(event.call.input.text).toEqualTypeOf<string>()
    }
    expectTypeOf(listen).toBeFunction()
  })

  it('takes any name and input when it is not told the tools', () => {
    const workerTools = new WorkerToolset(factory)
    void (() => workerTools.call('anything', { a: 1 }))
  })
})
