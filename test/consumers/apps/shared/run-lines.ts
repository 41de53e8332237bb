import type { Message, RunResult } from 'offstage'

/** The conversation of a run, one line a message. */
export function conversationLines({ messages }: RunResult): string[] {
  return messages.map((message) => `${message.role}: ${messageText(message)}`)
}

/** The calls of a run: which tool, how it ended and where it ran. */
export function callLines({ steps }: RunResult): string[] {
  return steps
    .flatMap(({ results }) => results)
    .map(({ call, outcome, lane }) => `${call.name}: ${outcome} ${lane ? 'in a worker' : 'on the page'}`)
}

function messageText(message: Message): string {
  if (message.role === 'tool') return message.results.map(({ text }) => text).join(', ')
  if (message.role === 'user') return message.text
  return [message.text, ...(message.calls ?? []).map(({ name }) => `${name}(…)`)].filter(Boolean).join(' ')
}
