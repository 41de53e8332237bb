import type { RunRecord } from './run-record.ts'

/** What is chosen by goes back this far: whoever only says "yes, do it" has said before what. */
const maxSaid = 3

/** Tools that were called so long ago are not offered for that. */
const maxCalled = 20

/** What the person said, the latest first. */
export function saidIn(messages: RunRecord['messages']): readonly string[] {
  const said = messages.flatMap((message) => (message.role === 'user' ? [message.text] : []))
  return said.reverse().slice(0, maxSaid)
}

/** The names that were called in the conversation, those of the open step too, in the order of their first calls. */
export function calledIn({ messages, open }: Pick<RunRecord, 'messages' | 'open'>): readonly string[] {
  const calls = [
    ...messages.flatMap((message) => (message.role === 'assistant' ? (message.calls ?? []) : [])),
    ...(open?.calls ?? []),
  ]
  return [...new Set(calls.map(({ name }) => name))].slice(-maxCalled)
}
