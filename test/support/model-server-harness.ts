import type { ModelAdapter } from '../../src/agent/model-adapter.ts'
import type { AdapterHarness, ContractTurn } from './model-adapter-contract.ts'
import { callDelta, delta, errorReply, events, ModelServer, type Reply } from './model-server.ts'

/** What an adapter is made with for a test of the contract. */
export interface HarnessOptions {
  readonly baseURL: string
  readonly capabilities?: readonly string[]
}

/** The contract over chat completions: an adapter in front of the strict server. */
export async function chatCompletionsHarness(
  makeAdapter: (options: HarnessOptions) => ModelAdapter,
  capabilities?: readonly string[],
): Promise<AdapterHarness> {
  const server = await ModelServer.start()
  const { baseURL } = server
  return {
    adapter: makeAdapter(capabilities === undefined ? { baseURL } : { baseURL, capabilities }),
    answer: (turn) => server.reply(replyOf(turn)),
    requests: () => server.requests.map(({ text }) => text),
    left: (index) =>
      server.requests[index]?.left ?? Promise.reject(new Error(`There was no request ${index}.`)),
  }
}

const finishReasons = { stop: 'stop', length: 'length', 'content-filter': 'content_filter' }

function replyOf(turn: ContractTurn): Reply {
  const { text = '', reasoning = '', calls = [], finish = 'stop', usage, error } = turn
  if (error?.status !== undefined) return errorReply(error.status, { error: { message: error.message } })
  const said = [
    delta({ role: 'assistant', content: '' }),
    ...pieces(reasoning).map((piece) => delta({ reasoning_content: piece })),
    ...pieces(text).map((piece) => delta({ content: piece })),
    ...calls.flatMap(({ id, name, input }, index) => [
      callDelta({ index, id, name, arguments: '' }),
      ...pieces(input).map((piece) => callDelta({ index, arguments: piece })),
    ]),
  ]
  if (turn.goesOn) return { pieces: events(...said), end: 'wait' }
  if (error !== undefined) return { pieces: events(...said, { error: { message: error.message } }) }
  const end = delta({}, calls.length > 0 && finish === 'stop' ? 'tool_calls' : finishReasons[finish])
  const counts = usage && { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens }
  return { pieces: events(...said, end, ...(counts ? [{ choices: [], usage: counts }] : []), '[DONE]') }
}

function pieces(text: string): string[] {
  return text.match(/.{1,7}/gsu) ?? []
}
