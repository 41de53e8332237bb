import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { Agent, type AgentOptions, type OtelObserverOptions, otelObserver, type Tool } from 'offstage'
import { ScriptedModel, type ScriptedTurn } from 'offstage/testing'
import { describe, expect, it } from 'vitest'
import { simple } from '../execution/step-kit.ts'
import { calls } from './agent-kit.ts'

const works = simple('works', () => 'fine') as unknown as Tool
const breaks = simple('breaks', () => Promise.reject(new Error('secret text'))) as unknown as Tool
const guarded = simple('guarded', () => 'done', { needsApproval: true }) as unknown as Tool

/** The spans of a run, written with the real SDK. */
async function spansOf(
  turns: readonly ScriptedTurn[],
  options: Partial<AgentOptions> = {},
  about: OtelObserverOptions = {},
): Promise<readonly ReadableSpan[]> {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const observers = [otelObserver(provider.getTracer('test'), about)]
  const model = new ScriptedModel(turns)
  const tools = [works, breaks, guarded]
  await new Agent({ name: 'clerk', model, tools, observers, confirm: () => true, ...options })
    .run('go')
    .catch(() => {})
  return exporter.getFinishedSpans()
}

const named = (spans: readonly ReadableSpan[], name: string) => spans.filter((span) => span.name === name)
const only = (spans: readonly ReadableSpan[], name: string): ReadableSpan => {
  const [span, ...more] = named(spans, name)
  if (span === undefined || more.length > 0)
    throw new Error(`${more.length + (span ? 1 : 0)} spans "${name}"`)
  return span
}

describe('otelObserver', () => {
  it('writes a span for the run, each request and each call, by the conventions for generative AI', async () => {
    const spans = await spansOf([calls('works'), 'done'], {}, { provider: 'openai', model: 'm-1' })
    const run = only(spans, 'invoke_agent clerk')
    expect(run.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'clerk',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'm-1',
      'gen_ai.response.finish_reasons': ['answer'],
    })
    expect(named(spans, 'chat m-1')).toHaveLength(2)
    const call = only(spans, 'execute_tool works')
    expect(call.attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'works',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': expect.stringContaining('call'),
    })
    for (const span of spans) {
      expect(span.parentSpanContext?.spanId).toBe(span === run ? undefined : run.spanContext().spanId)
      expect(span.spanContext().traceId).toBe(run.spanContext().traceId)
    }
  })

  it('has the times of the events: a call lies between its request and the end of the run', async () => {
    const spans = await spansOf([calls('works'), 'done'])
    const at = (time: readonly [number, number]) => time[0] * 1e3 + time[1] / 1e6
    const [request, answer] = named(spans, 'chat')
    const call = only(spans, 'execute_tool works')
    const run = only(spans, 'invoke_agent clerk')
    const times = [
      run.startTime,
      request?.startTime,
      call.startTime,
      call.endTime,
      answer?.startTime,
      run.endTime,
    ]
    const sorted = times.map((time) => at(time ?? [0, 0]))
    expect(sorted).toEqual([...sorted].sort((one, other) => one - other))
    expect(Math.abs(at(run.startTime) - Date.now())).toBeLessThan(60_000)
  })

  it('counts the tokens of each request', async () => {
    const usage = (inputTokens: number, outputTokens: number) =>
      ({ type: 'finish', reason: 'stop', usage: { inputTokens, outputTokens } }) as const
    const call = { type: 'call', name: 'works', input: {} } as const
    const text = { type: 'text-delta', text: 'done' } as const
    const spans = await spansOf([{ events: [call, usage(10, 2)] }, { events: [text, usage(30, 5)] }])
    expect(
      named(spans, 'chat').map(({ attributes }) => [
        attributes['gen_ai.usage.input_tokens'],
        attributes['gen_ai.usage.output_tokens'],
      ]),
    ).toEqual([
      [10, 2],
      [30, 5],
    ])
  })

  it('says how a call failed, and nothing of what was said', async () => {
    const spans = await spansOf([calls('breaks', 'nobody'), 'done'])
    expect(only(spans, 'execute_tool breaks')).toMatchObject({
      attributes: { 'error.type': 'error' },
      status: { code: 2 },
    })
    expect(only(spans, 'execute_tool nobody').attributes).toMatchObject({ 'error.type': 'unknown' })
    expect(
      JSON.stringify(spans.map(({ attributes, events, status }) => [attributes, events, status])),
    ).not.toMatch(/secret text|go|done/)
  })

  it('notes when the person was asked and when they answered', async () => {
    const spans = await spansOf([calls('guarded'), 'done'])
    const { events } = only(spans, 'invoke_agent clerk')
    expect(events.map(({ name }) => name)).toEqual(['approval-requested', 'approval-answered'])
  })

  it('ends all spans of a run that fails', async () => {
    const failing = {
      name: 'failing',
      stream: (): never => {
        throw new Error('no')
      },
    }
    const spans = await spansOf([], { model: failing })
    expect(spans.map(({ name, status }) => [name, status.code])).toEqual(
      expect.arrayContaining([
        ['chat', 2],
        ['invoke_agent clerk', 2],
      ]),
    )
  })

  it('stands in the span that the app gives', async () => {
    const exporter = new InMemorySpanExporter()
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
    const outer = provider.getTracer('app').startSpan('request')
    const spans = await spansOf(['done'], {}, { parent: trace.setSpan(ROOT_CONTEXT, outer) })
    const run = only(spans, 'invoke_agent clerk')
    expect(run.parentSpanContext?.spanId).toBe(outer.spanContext().spanId)
  })

  it('keeps runs that go on at the same time apart', async () => {
    const exporter = new InMemorySpanExporter()
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
    const observers = [otelObserver(provider.getTracer('test'))]
    const agents = [1, 2].map((number) => {
      const model = new ScriptedModel([calls('works'), 'done'])
      return new Agent({ name: `agent ${number}`, model, tools: [works], observers })
    })
    await Promise.all(agents.map((agent) => agent.run('go')))
    const spans = exporter.getFinishedSpans()
    for (const number of [1, 2]) {
      const { traceId } = only(spans, `invoke_agent agent ${number}`).spanContext()
      expect(spans.filter((span) => span.spanContext().traceId === traceId)).toHaveLength(4)
    }
  })
})
