import { events } from './model-server.ts'

/** The same answer, as one kind of server streams it. */
export interface ServerAnswer {
  readonly server: string
  /** The body: thinks `Paris.` if it thinks at all, says `I look.`, and calls `get_weather` for Paris. */
  readonly text: string
  readonly reasoning: string
  /** The field that its reasoning is in, and goes back in. */
  readonly field?: string
  readonly id: string
}

const usage = { prompt_tokens: 82, completion_tokens: 17, total_tokens: 99 }

/** https://platform.openai.com/docs/api-reference/chat-streaming/streaming (usage in a chunk without choices) */
const openAI: ServerAnswer = {
  ...{ server: 'OpenAI', reasoning: '', id: 'call_DdmO9pD3xa9XTPNJ32zg2hcA' },
  text: streamed(
    { service_tier: 'default', system_fingerprint: 'fp_44709d6fcb', usage: null, obfuscation: 'aB3' },
    [
      { role: 'assistant', content: '', refusal: null },
      { content: 'I ' },
      { content: 'look.' },
      { tool_calls: [called(0, 'call_DdmO9pD3xa9XTPNJ32zg2hcA', 'get_weather', '')] },
      ...['{"', 'city', '":"', 'Paris', '"}'].map((piece) => ({ tool_calls: [more(0, piece)] })),
    ],
    'tool_calls',
    [{ choices: [], usage }, '[DONE]'],
  ),
}

/** https://docs.ollama.com/api/openai-compatibility (whole calls; thinking in `reasoning`; usage of its own) */
const ollama: ServerAnswer = {
  ...{ server: 'Ollama', reasoning: 'Paris.', field: 'reasoning', id: 'call_bhx5tqke' },
  text: streamed(
    { system_fingerprint: 'fp_ollama' },
    [
      { role: 'assistant', content: '', reasoning: 'Par' },
      { role: 'assistant', content: '', reasoning: 'is.' },
      { role: 'assistant', content: 'I look.' },
      {
        ...{ role: 'assistant', content: '' },
        tool_calls: [called(0, 'call_bhx5tqke', 'get_weather', '{"city":"Paris"}')],
      },
      { role: 'assistant', content: '' },
    ],
    // Releases before 0.12 (ollama#7963).
    'stop',
    [{ choices: [], usage }, '[DONE]'],
  ),
}

/** https://lmstudio.ai/docs/developer/openai-compat/tools ("Streaming": nulls in the pieces behind the first) */
const lmStudio: ServerAnswer = {
  ...{ server: 'LM Studio', reasoning: '', id: '814890118' },
  text: streamed(
    { system_fingerprint: 'qwen2.5-7b-instruct' },
    [
      { role: 'assistant', content: 'I look.' },
      { tool_calls: [called(0, '814890118', 'get_weather', '')] },
      ...['{"', 'city', '":"', 'Paris', '"}'].map((piece) => ({
        tool_calls: [{ index: 0, id: null, type: null, function: { name: null, arguments: piece } }],
      })),
    ],
    'tool_calls',
    ['[DONE]'],
  ).replaceAll('\n', '\r\n'),
}

/**
 * https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md (`reasoning_content`; usage and timings in
 * the last chunk; a comment keeps the connection open)
 */
const llamaCpp: ServerAnswer = {
  ...{
    server: 'llama.cpp',
    reasoning: 'Paris.',
    field: 'reasoning_content',
    id: 'fT8hQ0kWc2mN4xYz7LpVbR1sJ6dE9uGa',
  },
  text: `: ping\n\n${streamed(
    { system_fingerprint: 'b6900-1234abcd' },
    [
      { role: 'assistant', content: null },
      { reasoning_content: 'Paris' },
      { reasoning_content: '.' },
      { content: 'I look.' },
      { tool_calls: [called(0, 'fT8hQ0kWc2mN4xYz7LpVbR1sJ6dE9uGa', 'get_weather', '{')] },
      { tool_calls: [{ index: 0, function: { arguments: '"city":"Paris"' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '}' } }] },
    ],
    'tool_calls',
    [{ choices: [], usage, timings: { prompt_n: 82, predicted_n: 17 } }, '[DONE]'],
  )}`,
}

/**
 * https://docs.vllm.ai/en/v0.11.2/features/reasoning_outputs/ (`reasoning`, and for a while `reasoning_content` as
 * well) and https://docs.vllm.ai/en/latest/features/tool_calling/
 */
const vLLM: ServerAnswer = {
  ...{ server: 'vLLM', reasoning: 'Paris.', field: 'reasoning_content', id: 'chatcmpl-tool-5f0c' },
  text: streamed(
    { usage: { prompt_tokens: 82, completion_tokens: 1, total_tokens: 83 } },
    [
      { role: 'assistant', content: '' },
      { reasoning: 'Paris.', reasoning_content: 'Paris.' },
      { content: 'I look.' },
      { tool_calls: [called(0, 'chatcmpl-tool-5f0c', 'get_weather', undefined)] },
      ...['{"city": ', '"Paris"}'].map((piece) => ({
        tool_calls: [{ index: 0, function: { arguments: piece } }],
      })),
      { content: '' },
    ],
    'tool_calls',
    [{ choices: [], usage }, '[DONE]'],
  ),
}

/**
 * https://docs.sglang.io/advanced_features/tool_parser.html and separate_reasoning.html there (every field in every
 * delta; sglang#8316: the finish reason was `stop`)
 */
const sgLang: ServerAnswer = {
  ...{
    server: 'SGLang',
    reasoning: 'Paris.',
    field: 'reasoning_content',
    id: 'call_0030610c3eac4e28b83e8c7d',
  },
  text: streamed(
    { usage: null },
    [
      whole({ role: 'assistant', content: '' }),
      whole({ reasoning_content: 'Paris.' }),
      whole({ content: 'I look.' }),
      whole({ tool_calls: [called(0, 'call_0030610c3eac4e28b83e8c7d', 'get_weather', '')] }),
      ...['{"city": "', 'Paris', '"}'].map((piece) => whole({ tool_calls: [more(0, piece)] })),
    ],
    'stop',
    [{ choices: [], usage }, '[DONE]'],
  ),
}

export const serverAnswers: readonly ServerAnswer[] = [openAI, ollama, lmStudio, llamaCpp, vLLM, sgLang]

function streamed(
  fields: object,
  deltas: readonly object[],
  finishReason: string,
  end: readonly unknown[],
): string {
  const chunk = (delta: object, finish_reason: string | null) => ({
    ...{ id: 'chatcmpl-9', object: 'chat.completion.chunk', created: 1_767_225_600, model: 'm' },
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    ...fields,
  })
  const chunks = deltas.map((delta) => chunk(delta, null))
  return events(...chunks, chunk({}, finishReason), ...end).join('')
}

function called(index: number, id: string, name: string, text: string | undefined): object {
  return { index, id, type: 'function', function: { name, arguments: text } }
}

function more(index: number, text: string): object {
  return { index, id: null, type: 'function', function: { name: null, arguments: text } }
}

function whole(delta: object): object {
  return { role: null, content: null, reasoning_content: null, tool_calls: null, ...delta }
}
