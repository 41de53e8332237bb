export { fromLanguageModel, type LanguageModelOptions, type LanguageModelSettings } from './language-model.ts'
export type { AnyLanguageModel } from './language-model-types.ts'
export { ModelError, type ModelErrorDetails } from './model-error.ts'
export { type OpenAICompatibleOptions, openAICompatible } from './openai-compatible.ts'
