import type { OpenAIAgentsTool } from 'offstage/interop'
import type { ScriptedCall, Turn } from './ai-sdk.ts'
import { realPackage } from './real-packages.ts'

/** An item of a run. */
export type Item = Readonly<Record<string, unknown>>

/** A question that a run was interrupted for. */
export interface Interruption {
  readonly rawItem: { readonly name: string; readonly arguments: string; readonly callId: string }
}

/** What is kept of a run that was interrupted. */
export interface RunState {
  approve(item: Interruption): void
  reject(item: Interruption): void
  toString(): string
}

/** What of a run is looked at. */
export interface AgentsRun {
  readonly finalOutput: unknown
  readonly interruptions: readonly Interruption[]
  readonly state: RunState
  readonly newItems: readonly { readonly rawItem: Item }[]
}

/** The part of OpenAI Agents that the tests use. */
export interface OpenAIAgents {
  readonly Agent: new (options: object) => object
  readonly Runner: new (
    options: object,
  ) => {
    run(
      agent: object,
      input: unknown,
      options?: object,
    ): Promise<AgentsRun & AsyncIterable<object> & { readonly completed: Promise<void> }>
  }
  readonly RunState: { fromString(agent: object, text: string): Promise<RunState> }
  readonly Usage: new () => object
  readonly MaxTurnsExceededError: unknown
}

/** The package, with a way to run an agent that says these turns. */
export async function openAIAgents() {
  const sdk = await realPackage<OpenAIAgents>('@openai/agents-core')
  const runner = new sdk.Runner({ tracingDisabled: true })
  return {
    sdk,
    agent: (tools: readonly OpenAIAgentsTool[], turns: readonly Turn[]) => {
      const model = new ScriptedAgentsModel(sdk, turns)
      return { model, agent: new sdk.Agent({ name: 'Clerk', model, tools }) }
    },
    run: (agent: object, input: unknown = 'go', options: object = {}) =>
      runner.run(agent, input, { maxTurns: 6, ...options }),
  }
}

/** A model that says what it is told to, by the interface of OpenAI Agents. */
class ScriptedAgentsModel {
  /** What it was sent. */
  readonly requests: { readonly input: readonly Item[]; readonly tools: readonly Item[] }[] = []
  readonly #sdk: OpenAIAgents
  readonly #turns: Turn[]

  constructor(sdk: OpenAIAgents, turns: readonly Turn[]) {
    this.#sdk = sdk
    this.#turns = [...turns]
  }

  async getResponse(request: {
    readonly input: readonly Item[]
    readonly tools: readonly Item[]
  }): Promise<object> {
    this.requests.push(structuredClone({ input: request.input, tools: request.tools }))
    const turn = this.#turns.shift()
    if (turn === undefined) throw new Error('The scripted model has no more turns.')
    return { usage: new this.#sdk.Usage(), output: outputOf(turn) }
  }

  async *getStreamedResponse(request: {
    readonly input: readonly Item[]
    readonly tools: readonly Item[]
  }): AsyncIterable<object> {
    const response = (await this.getResponse(request)) as { output: object[] }
    yield { type: 'response_started' }
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
    yield { type: 'response_done', response: { id: 'r', usage, output: response.output } }
  }
}

function outputOf(turn: Turn): object[] {
  if (typeof turn === 'string') {
    return [
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: turn }],
      },
    ]
  }
  return turn.map(({ id, name, input = {} }: ScriptedCall, index) => ({
    type: 'function_call',
    callId: id ?? `call_${index}`,
    name,
    status: 'completed',
    arguments: typeof input === 'string' ? input : JSON.stringify(input),
  }))
}
