import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { fromLanguageModel } from 'offstage/models'
import { createOpenAICompatible as createOpenAICompatibleV3 } from 'openai-compatible-v3'
import { describeModelAdapter } from '../../support/model-adapter-contract.ts'
import { chatCompletionsHarness, type HarnessOptions } from '../../support/model-server-harness.ts'

const options = { name: 'local', includeUsage: true }

describeModelAdapter('a language model of version 4', (capabilities) =>
  chatCompletionsHarness((given) => {
    const model = createOpenAICompatible({ ...options, baseURL: given.baseURL })('qwen3')
    return fromLanguageModel(model, settings(given))
  }, capabilities),
)

describeModelAdapter('a language model of version 3', (capabilities) =>
  chatCompletionsHarness((given) => {
    const model = createOpenAICompatibleV3({ ...options, baseURL: given.baseURL })('qwen3')
    return fromLanguageModel(model, settings(given))
  }, capabilities),
)

function settings({ capabilities }: HarnessOptions) {
  return { maxRetries: 0, ...(capabilities && { capabilities }) }
}
