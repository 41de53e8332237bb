import type { AgentEvent, FilePart, Message, RunResult, ToolResult, UserInput } from 'offstage'
import { Agent, type ModelAdapter } from 'offstage'
import { describe, expectTypeOf, it } from 'vitest'

declare const model: ModelAdapter

type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { readonly type: Type }>

describe('AgentEvent', () => {
  it('is told apart by its type', () => {
    expectTypeOf<EventOf<'reasoning-delta'>['text']>().toEqualTypeOf<string>()
    expectTypeOf<EventOf<'call-input-delta'>['callId']>().toEqualTypeOf<string>()
    expectTypeOf<EventOf<'file'>['file']>().toEqualTypeOf<FilePart>()
    expectTypeOf<EventOf<'run-start'>['messages']>().toEqualTypeOf<readonly Message[]>()
    expectTypeOf<EventOf<'step-end'>['results']>().toEqualTypeOf<readonly ToolResult[]>()
    expectTypeOf<EventOf<'done'>['result']>().toEqualTypeOf<RunResult>()
    expectTypeOf<EventOf<'failed'>['error']>().toEqualTypeOf<unknown>()
  })

  it('always has a run, a step and a time', () => {
    expectTypeOf<AgentEvent['runId']>().toEqualTypeOf<string>()
    expectTypeOf<AgentEvent['step']>().toEqualTypeOf<number>()
    expectTypeOf<AgentEvent['at']>().toEqualTypeOf<number>()
  })
})

describe('what a run is asked', () => {
  it('is a text, or one with images and files', () => {
    const agent = new Agent({
      model,
      observers: [(event) => expectTypeOf(event).toEqualTypeOf<AgentEvent>()],
    })
    expectTypeOf(agent.run).parameter(0).toEqualTypeOf<UserInput>()
    void (() =>
      agent.run({ text: 'what?', parts: [{ type: 'image', mediaType: 'image/png', data: 'AAAA' }] }))
    // @ts-expect-error without a text there is nothing that every model can read
    void (() => agent.run({ parts: [] }))
  })
})
