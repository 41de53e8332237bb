import { openAICompatible } from 'offstage/models'
import { describeModelAdapter } from '../../support/model-adapter-contract.ts'
import { chatCompletionsHarness } from '../../support/model-server-harness.ts'

describeModelAdapter('openAICompatible()', (capabilities) =>
  chatCompletionsHarness((options) => openAICompatible({ ...options, model: 'm' }), capabilities),
)
