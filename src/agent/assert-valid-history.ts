import { type HistoryDialect, historyProblems } from './history-problems.ts'
import type { Message } from './message.ts'

/**
 * Throws unless a provider takes the conversation as the next request: results stand right behind their calls, one for
 * each, in call order; inputs are objects; ids are unique; no text holds half of a surrogate pair. With a `dialect` the
 * rules of that provider are checked too. For tests of adapters, of stored conversations, and of code that shortens
 * them; the agent's own are always valid.
 *
 * @throws Error that names each problem and its message, by index.
 * @example
 * assertValidHistory(result.messages, 'anthropic')
 */
export function assertValidHistory(messages: readonly Message[], dialect?: HistoryDialect): void {
  const problems = historyProblems(messages, dialect)
  if (problems.length === 0) return
  const lines = problems.map(({ index, message }) => `messages[${index}]: ${message}`)
  const whose = dialect === undefined ? 'any provider' : dialect
  throw new Error(`The history is not valid for ${whose}.\n${lines.join('\n')}`)
}
