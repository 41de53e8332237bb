import type { ToolResult } from '../tool/tool-result.ts'
import type { Usage } from './model-adapter.ts'
import type { AgentEvent } from './run-result.ts'

type Attributes = Readonly<Record<string, string | number | string[]>>

/** What is used of a span of OpenTelemetry. */
export interface OtelSpan {
  setAttributes(attributes: Attributes): unknown
  addEvent(name: string, attributes?: Attributes, at?: number): unknown
  setStatus(status: { readonly code: number; readonly message?: string }): unknown
  end(at?: number): void
}

/** What is used of a context of OpenTelemetry. */
export interface OtelContext {
  getValue(key: symbol): unknown
  setValue(key: symbol, value: unknown): OtelContext
  deleteValue(key: symbol): OtelContext
}

/** What is used of a tracer: any tracer of OpenTelemetry is one. */
export interface OtelTracer {
  startSpan(
    name: string,
    options: { readonly startTime?: number; readonly attributes?: Attributes },
    context: OtelContext,
  ): OtelSpan
}

/** What the events do not say. */
export interface OtelObserverOptions {
  /** `gen_ai.provider.name`, for example `openai`. */
  readonly provider?: string
  /** `gen_ai.request.model`. */
  readonly model?: string
  /** The context in which runs start, for example `context.active()` of `@opentelemetry/api`. @default none */
  readonly parent?: OtelContext
}

/**
 * An observer that writes each run to a tracer of OpenTelemetry: one `invoke_agent` span, in it one `chat` span for each
 * request and one `execute_tool` span for each call, with tokens, outcomes and times. Names and attributes are those of
 * the semantic conventions for generative AI (github.com/open-telemetry/semantic-conventions-genai, status
 * "Development"). What was said, inputs and outputs are not written. A `chat` span ends when the first call of its
 * message was read, or with its step; a call that never ran has a span of no length.
 *
 * @example
 * const agent = new Agent({ model, tools, observers: [otelObserver(trace.getTracer('my-app'))] })
 */
export function otelObserver(
  tracer: OtelTracer,
  options: OtelObserverOptions = {},
): (event: AgentEvent) => void {
  const runs = new Map<string, RunSpans>()
  return (event) => {
    const { runId } = event
    if (event.type === 'run-start') runs.set(runId, new RunSpans(tracer, options, event))
    runs.get(runId)?.see(event)
    if (event.type === 'done' || event.type === 'paused' || event.type === 'failed') runs.delete(runId)
  }
}

// SpanStatusCode.ERROR of the API.
const failedStatus = 2

/** The spans of one run. */
class RunSpans {
  readonly #tracer: OtelTracer
  readonly #options: OtelObserverOptions
  readonly #run: OtelSpan
  /** In which the other spans stand. */
  readonly #inRun: OtelContext
  readonly #names = new Map<string, string>()
  readonly #calls = new Map<string, OtelSpan>()
  #request: { readonly span: OtelSpan; endedAt?: number } | undefined
  #usage: Usage = { inputTokens: 0, outputTokens: 0 }

  constructor(
    tracer: OtelTracer,
    options: OtelObserverOptions,
    { runId, agent, at }: Extract<AgentEvent, { type: 'run-start' }>,
  ) {
    this.#tracer = tracer
    this.#options = options
    const { parent = emptyContext } = options
    const about = { 'gen_ai.agent.name': agent, 'gen_ai.conversation.id': runId }
    this.#run = this.#start('invoke_agent', agent, at, { ...about, ...this.#model() }, parent)
    this.#inRun = parent.setValue(spanKey, this.#run)
  }

  see(event: AgentEvent): void {
    const { at } = event
    switch (event.type) {
      case 'step-start':
        this.#request = { span: this.#start('chat', this.#options.model, at, this.#model()) }
        break
      case 'call':
        if (this.#request !== undefined) this.#request.endedAt ??= at
        this.#names.set(event.callId, event.call.name)
        break
      case 'approval-requested':
      case 'approval-answered':
        this.#run.addEvent(event.type, { 'gen_ai.tool.call.id': event.callId }, at)
        break
      case 'call-started':
        this.#callOf(event.callId, at)
        break
      case 'result':
        this.#endCall(event.callId, event.result, at)
        break
      case 'step-end':
        this.#endRequest(at, event.usage)
        break
      case 'done':
      case 'paused':
        this.#endRequest(at, event.result.usage)
        this.#run.setAttributes({ 'gen_ai.response.finish_reasons': [event.result.finishReason] })
        this.#run.end(at)
        break
      case 'failed':
        this.#fail(event.error, at)
    }
  }

  #start(
    operation: string,
    about: string | undefined,
    startTime: number,
    more: Attributes,
    context: OtelContext = this.#inRun,
  ): OtelSpan {
    const name = about === undefined ? operation : `${operation} ${about}`
    const attributes = { 'gen_ai.operation.name': operation, ...more }
    return this.#tracer.startSpan(name, { startTime, attributes }, context)
  }

  #model(): Attributes {
    const { provider, model } = this.#options
    return {
      ...(provider === undefined ? {} : { 'gen_ai.provider.name': provider }),
      ...(model === undefined ? {} : { 'gen_ai.request.model': model }),
    }
  }

  #callOf(callId: string, at: number, name: string = this.#names.get(callId) ?? 'unknown'): OtelSpan {
    const known = this.#calls.get(callId)
    if (known !== undefined) return known
    const about = { 'gen_ai.tool.name': name, 'gen_ai.tool.call.id': callId, 'gen_ai.tool.type': 'function' }
    const span = this.#start('execute_tool', name, at, about)
    this.#calls.set(callId, span)
    return span
  }

  #endCall(callId: string, { call, outcome, lane }: ToolResult, at: number): void {
    const span = this.#callOf(callId, at, call.name)
    if (lane !== undefined) span.setAttributes({ 'offstage.lane': lane })
    if (outcome !== 'success' && outcome !== 'partial') setFailed(span, outcome)
    span.end(at)
    this.#calls.delete(callId)
    this.#names.delete(callId)
  }

  #endRequest(at: number, usage: Usage): void {
    const { span, endedAt = at } = this.#request ?? {}
    this.#request = undefined
    span?.setAttributes({
      'gen_ai.usage.input_tokens': usage.inputTokens - this.#usage.inputTokens,
      'gen_ai.usage.output_tokens': usage.outputTokens - this.#usage.outputTokens,
    })
    span?.end(endedAt)
    this.#usage = usage
  }

  #fail(error: unknown, at: number): void {
    const name = error instanceof Error ? error.name : 'Error'
    for (const span of [...this.#calls.values(), this.#request?.span, this.#run]) {
      if (span === undefined) continue
      setFailed(span, name)
      span.end(at)
    }
  }
}

function setFailed(span: OtelSpan, type: string): void {
  span.setAttributes({ 'error.type': type })
  span.setStatus({ code: failedStatus })
}

// What the API's createContextKey() makes, the same in every copy of it on a page.
const spanKey = Symbol.for('OpenTelemetry Context Key SPAN')

/** A context that holds some values, as the API's own does. */
function contextOf(values: ReadonlyMap<symbol, unknown>): OtelContext {
  return {
    getValue: (key) => values.get(key),
    setValue: (key, value) => contextOf(new Map(values).set(key, value)),
    deleteValue: (key) => contextOf(new Map([...values].filter(([known]) => known !== key))),
  }
}

const emptyContext = contextOf(new Map())
