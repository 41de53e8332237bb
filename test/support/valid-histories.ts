import { assertValidHistory, type HistoryDialect } from 'offstage'
import { ScriptedModel } from 'offstage/testing'

const dialects: readonly HistoryDialect[] = ['openai', 'anthropic', 'gemini', 'mistral']
const { stream } = ScriptedModel.prototype

// Every request of every run in these tests is one that each provider would take.
ScriptedModel.prototype.stream = function (request) {
  for (const dialect of dialects) assertValidHistory(request.messages, dialect)
  return stream.call(this, request)
}
