import { realPackage } from './real-packages.ts'

/** A call as a model of AI SDK writes it. */
export interface ScriptedCall {
  readonly id?: string
  readonly name: string
  /** Sent as JSON; a text is sent as it is. */
  readonly input?: object | string
}

/** What the model says in a step: text, or calls. */
export type Turn = string | readonly ScriptedCall[]

/** The part of the `ai` package that the tests use. Both versions have it; the types are those of the tests. */
export interface AISDK {
  generateText(options: object): Promise<HostRun>
  streamText(options: object): {
    readonly fullStream: AsyncIterable<Record<string, unknown>>
    consumeStream(): Promise<void>
  }
  tool<Tool>(options: Tool): Tool
  dynamicTool<Tool>(options: Tool): Tool
  jsonSchema(schema: object, options?: object): object
  isLoopFinished?: unknown
  readUIMessageStream(options: object): AsyncIterable<object>
}

/** What of a run is looked at. */
export interface HostRun {
  readonly text: string
  readonly content: readonly Record<string, unknown>[]
  readonly steps: readonly { readonly content: readonly Record<string, unknown>[] }[]
  readonly response: { readonly messages: readonly object[] }
}

/** A host of one version. */
export interface Host {
  readonly sdk: AISDK
  /** A model that says these turns, and keeps what it was asked. */
  model(turns: readonly Turn[]): ScriptedLanguageModel
}

/** The versions under test, and how each is loaded. */
export const hosts: readonly (readonly [string, () => Promise<Host>])[] = [
  ['AI SDK 6', () => load('ai6', 'v3')],
  ['AI SDK 7', () => load('ai7', 'v4')],
]

async function load(name: string, version: 'v3' | 'v4'): Promise<Host> {
  const sdk = await realPackage<AISDK>(name)
  return { sdk, model: (turns) => new ScriptedLanguageModel(version, turns) }
}

interface ModelOptions {
  readonly prompt: object
  readonly tools?: ScriptedLanguageModel['tools']
}

/** A model that says what it is told to, by the interface of AI SDK's providers. */
export class ScriptedLanguageModel {
  readonly provider = 'scripted'
  readonly modelId = 'scripted'
  readonly supportedUrls = {}
  readonly specificationVersion: 'v3' | 'v4'
  /** The prompts that it was sent. */
  readonly prompts: object[] = []
  /** The tools that it was offered last. */
  tools: readonly { readonly name: string; readonly inputSchema: object }[] = []
  readonly #turns: Turn[]

  constructor(version: 'v3' | 'v4', turns: readonly Turn[]) {
    this.specificationVersion = version
    this.#turns = [...turns]
  }

  async doGenerate(options: ModelOptions): Promise<object> {
    const turn = this.#next(options)
    return { content: contentOf(turn), ...endOf(turn), warnings: [] }
  }

  async doStream(options: ModelOptions): Promise<object> {
    const turn = this.#next(options)
    const parts: object[] = [{ type: 'stream-start', warnings: [] }]
    if (typeof turn === 'string') {
      parts.push(
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: turn },
        { type: 'text-end', id: 't' },
      )
    } else {
      for (const call of contentOf(turn) as { toolCallId: string; toolName: string; input: string }[]) {
        const { toolCallId: id, toolName, input } = call
        parts.push({ type: 'tool-input-start', id, toolName })
        // In pieces of which the first may be JSON already.
        for (const delta of input.match(/.{1,7}/gs) ?? []) parts.push({ type: 'tool-input-delta', id, delta })
        parts.push({ type: 'tool-input-end', id }, call)
      }
    }
    parts.push({ type: 'finish', ...endOf(turn) })
    return {
      stream: new ReadableStream({
        start: (controller) => {
          for (const part of parts) controller.enqueue(part)
          controller.close()
        },
      }),
    }
  }

  #next({ prompt, tools = [] }: ModelOptions): Turn {
    this.prompts.push(prompt)
    this.tools = tools
    const turn = this.#turns.shift()
    if (turn === undefined) throw new Error('The scripted model has no more turns.')
    return turn
  }
}

function contentOf(turn: Turn): object[] {
  if (typeof turn === 'string') return [{ type: 'text', text: turn }]
  return turn.map(({ id, name, input = {} }, index) => ({
    type: 'tool-call',
    toolCallId: id ?? `call_${index}`,
    toolName: name,
    input: typeof input === 'string' ? input : JSON.stringify(input),
  }))
}

function endOf(turn: Turn): object {
  const count = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 }
  return {
    finishReason: { unified: typeof turn === 'string' ? 'stop' : 'tool-calls', raw: undefined },
    usage: { inputTokens: count, outputTokens: count },
  }
}
