import type {
  AssistantMessage,
  CallActivity,
  MessageCall,
  MessageResult,
  OpenQuestion,
  SessionSnapshot,
} from 'offstage'

/** What is said, or a call and what came of it: one thing to draw. */
export type ChatEntry = ChatSaying | ChatCall

/** Words of a person or a model. */
export interface ChatSaying {
  /** The same for the same place in the conversation. */
  readonly key: string
  readonly kind: 'you' | 'model' | 'reasoning' | 'file'
  readonly text: string
}

/** A call, with what is known of it now. */
export interface ChatCall {
  readonly key: string
  readonly kind: 'call'
  readonly call: MessageCall
  /** Until it is over. */
  readonly activity?: CallActivity
  /** While a person is asked. */
  readonly question?: OpenQuestion
  /** Once it is over. */
  readonly result?: MessageResult
}

/** A session in the order in which a person reads it. Used by the pages of all three frameworks. */
export function chatEntries({ messages, activity, pending }: SessionSnapshot): readonly ChatEntry[] {
  const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []))
  const entryOf = (call: MessageCall): ChatCall => {
    const active = activity.find(({ callId }) => callId === call.id)
    const question = pending.find(({ callId }) => callId === call.id)
    const result = results.find(({ callId }) => callId === call.id)
    return {
      ...{ key: call.id, kind: 'call', call },
      ...(active && { activity: active }),
      ...(question && { question }),
      ...(result && { result }),
    }
  }
  return messages.flatMap((message, index): ChatEntry[] => {
    if (message.role === 'tool') return []
    if (message.role === 'user') return [{ key: `${index}`, kind: 'you', text: message.text }]
    return assistantEntries(message, `${index}`, entryOf)
  })
}

/** What the model says with this entry is whole: nothing is added to it any more. */
export function isWhole(
  entry: ChatEntry,
  entries: readonly ChatEntry[],
  { status }: SessionSnapshot,
): boolean {
  return status !== 'running' || entry !== entries.at(-1)
}

/** What the model said last; empty when the last thing is something else. */
export function lastSaid(entries: readonly ChatEntry[]): string {
  const last = entries.at(-1)
  return last?.kind === 'model' ? last.text : ''
}

/** How a call stands, in words. */
export function callState({ activity, question, result }: ChatCall): string {
  if (result !== undefined) return result.outcome
  if (question !== undefined) return 'waits for you'
  if (activity?.phase === 'writing') return 'is being written'
  if (activity?.phase !== 'running') return 'waits for its turn'
  return activity.lane === undefined ? 'runs on the page' : `runs in ${activity.lane}`
}

function assistantEntries(
  { text, calls = [], parts }: AssistantMessage,
  index: string,
  entryOf: (call: MessageCall) => ChatCall,
): ChatEntry[] {
  if (parts === undefined) {
    const said: ChatEntry[] = text === '' ? [] : [{ key: `${index}-0`, kind: 'model', text }]
    return [...said, ...calls.map(entryOf)]
  }
  return parts.flatMap((part, place): ChatEntry[] => {
    const key = `${index}-${place}`
    if (part.type === 'text') return part.text === '' ? [] : [{ key, kind: 'model', text: part.text }]
    if (part.type === 'reasoning') return [{ key, kind: 'reasoning', text: part.text }]
    if (part.type === 'call') return calls.filter(({ id }) => id === part.callId).map(entryOf)
    // Nothing of a model's is loaded or drawn: only said.
    return [{ key, kind: 'file', text: `A file of type ${part.mediaType}` }]
  })
}
