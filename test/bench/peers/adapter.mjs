// Offstage in the harness that runs the same work on several libraries; its README says what is exported here and why.
import { Agent, tool } from 'offstage'
import { ToolRetriever, ToolSearchTool } from 'offstage/retrieval'
import * as v from 'valibot'
import { sleep, turnEvents, valibotSchema } from '../../lib/spec.mjs'
import { handicapMs } from './handicap.mjs'

export const meta = { name: 'offstage', api: 'new Agent().run() / .stream(), tool()', schemaLib: 'valibot' }
export const features = {
  ...{ toolTimeout: true, defer: true, search: 'tool_search' },
  searchArgs: (query) => ({ query }),
}

export function defineTools(specs) {
  return specs.map((spec) =>
    tool({
      name: spec.name,
      description: spec.description,
      inputSchema: valibotSchema(v, spec),
      parallelSafe: true,
      effect: 'none',
      execute: (input) => spec.execute(input),
    }),
  )
}

export function validator(spec) {
  const schema = valibotSchema(v, spec)
  return (input) => {
    const result = v.safeParse(schema, input)
    if (!result.success) throw new Error('bad')
    return result.output
  }
}

export function create({ tools, native, timeoutMs, defer = false }) {
  let current
  const model = {
    name: 'scripted',
    stream(request) {
      current.onRequest?.({
        get tools() {
          return request.tools.map(({ name, description, inputSchema }) => ({
            ...{ type: 'function', name, description, parameters: inputSchema },
          }))
        },
        toolCount: request.tools.length,
        messageCount: request.messages.length,
      })
      const turn = current.script(current.step++)
      const events = current.opts === undefined ? whole(turn) : streamed(turn, current.opts)
      return handicapMs > 0 ? delayed(events) : events
    },
  }
  const toolList = native ?? defineTools(tools)
  const limits = { maxSteps: 100_000, maxCallsPerStep: 10_000 }
  const agent = new Agent({
    ...{ model, limits, eagerStart: true },
    ...(defer ? pickedFrom(toolList) : { tools: toolList }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })
  return {
    async run({ script, onRequest }) {
      current = { script, onRequest, step: 0, opts: undefined }
      const { finalOutput } = await agent.run(defer ? request : 'go')
      return { text: finalOutput, steps: current.step }
    },
    async stream({ script, onRequest, onChunk, opts }) {
      current = { script, onRequest, step: 0, opts: opts ?? {} }
      let text = ''
      for await (const event of agent.stream('go')) {
        onChunk?.(event)
        if (event.type === 'done') text = event.result.finalOutput
      }
      return { text, steps: current.step }
    },
  }
}

/** As a person would put it; what it is about decides how many tools are compared. */
const request = 'Please look at the calendar of next week and write me a short summary email about it.'

/** The model is offered a few of the tools: those that fit the request. */
function pickedFrom(tools) {
  const toolRetriever = new ToolRetriever(tools)
  return { toolRetriever, tools: [new ToolSearchTool(toolRetriever)] }
}

async function* delayed(events) {
  await sleep(handicapMs)
  yield* events
}

/** Nothing is streamed, and no generator runs, as with the other libraries' whole answers. */
function whole({ text, calls = [] }) {
  const said = text === undefined ? [] : [{ type: 'text-delta', text }]
  const asked = calls.map(({ id, name, args }) => ({ type: 'call', id, name, input: args }))
  const events = said.concat(asked, finishOf(text))
  let next = 0
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: () => Promise.resolve(next < events.length ? { value: events[next++] } : { done: true }),
  }
}

const finishOf = (text) => ({ type: 'finish', reason: text === undefined ? 'tool-calls' : 'stop', usage })

const usage = { inputTokens: 10, outputTokens: 5 }

async function* streamed(turn, opts) {
  const inputs = new Map()
  for (const event of turnEvents(turn, opts)) {
    const { t, id, d, name } = event
    if (t === 'wait') await sleep(event.ms)
    else if (t === 'mark') event.fn()
    else if (t === 'text') yield { type: 'text-delta', text: d }
    else if (t === 'call-start') inputs.set(id, { name, parts: [] })
    else if (t === 'args') {
      const call = inputs.get(id)
      call.parts.push(d)
      yield { type: 'call-input-delta', key: id, name: call.name, text: d }
    } else if (t === 'call-end') {
      yield { type: 'call', key: id, id, name, input: inputs.get(id).parts.join(''), closed: true }
    }
  }
  yield finishOf(turn.text)
}
