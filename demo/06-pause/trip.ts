import type {
  Agent,
  CallEnding,
  JsonObject,
  Message,
  PendingCall,
  RunState,
  RunStore,
  StoredRun,
} from 'offstage'

/** What somebody says, or a call and what came of it. */
export type TripEntry = { readonly who: 'you' | 'model'; readonly text: string } | TripCall

/** A call as a person reads it. */
export interface TripCall {
  readonly id: string
  readonly name: string
  readonly input: JsonObject
  /** Set once the call is over. */
  readonly result?: { readonly outcome: CallEnding; readonly text: string }
  /** What it waits for. */
  readonly question?: PendingCall
}

/** The run of the demo, as the store has it. */
export interface Trip {
  /** `broken-off`: its page was closed while it ran; `running`: here or in another tab. */
  readonly stage: 'waiting' | 'broken-off' | 'running' | 'done' | 'stopped'
  readonly stored: StoredRun
  readonly state: RunState
  readonly entries: readonly TripEntry[]
  /** The calls that wait for an answer. */
  readonly questions: readonly PendingCall[]
}

/** Reads the run that was saved last; undefined when there is none. */
export async function readTrip(agent: Agent, store: RunStore): Promise<Trip | undefined> {
  const [open, [stored]] = await Promise.all([agent.pendingRuns(), store.list()])
  if (stored === undefined) return undefined
  const run = open.find(({ runId }) => runId === stored.runId)
  // The store knows states as JSON only.
  const state = run?.state ?? (stored.state as unknown as RunState)
  const questions = run?.pending ?? []
  return {
    stage: stageOf(stored, run?.status),
    stored,
    state,
    questions,
    entries: entriesOf(state, questions),
  }
}

function stageOf({ status }: StoredRun, open: 'paused' | 'interrupted' | undefined): Trip['stage'] {
  if (status === 'done' || status === 'stopped') return status
  if (open === undefined) return 'running'
  return open === 'paused' ? 'waiting' : 'broken-off'
}

function entriesOf({ messages, open }: RunState, questions: readonly PendingCall[]): readonly TripEntry[] {
  const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []))
  const over = messages.flatMap((message) => sayings(message, (id) => results.find((r) => r.callId === id)))
  if (open === undefined) return over
  // The step that is not over stands beside the conversation, with what is known of its calls so far.
  const calls = open.calls.map(({ id, name, input, result }): TripCall => {
    const question = questions.find(({ callId }) => callId === id)
    return { id, name, input, ...(result && { result }), ...(question && { question }) }
  })
  return [...over, { who: 'model', text: open.text }, ...calls]
}

function sayings(
  message: Message,
  resultOf: (id: string) => TripCall['result'] | undefined,
): readonly TripEntry[] {
  if (message.role === 'tool') return []
  if (message.role === 'user') return [{ who: 'you', text: message.text }]
  const calls = (message.calls ?? []).map(({ id, name, input }): TripCall => {
    const result = resultOf(id)
    return { id, name, input, ...(result && { result }) }
  })
  return [{ who: 'model', text: message.text }, ...calls]
}
