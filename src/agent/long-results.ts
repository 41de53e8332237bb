import { theParking } from '../execution/parking.ts'
import { readNote } from '../execution/result-handle.ts'
import type { RunTools } from '../execution/run-tools.ts'
import { longResultTextsEn } from '../tool/long-result-texts.ts'
import { once } from '../tool/once.ts'
import { whenDone } from '../tool/when-done.ts'
import type { Message, MessageResult } from './message.ts'
import type { RunRecord } from './run-record.ts'
import type { RunSetup } from './run-setup.ts'

/** The tools of a run with, once a long result of it is kept, the tool that reads it. */
export async function withLongResults(tools: RunTools, setup: RunSetup): Promise<RunTools> {
  const { executor, record } = setup
  const { readers } = executor
  const { runId } = record
  record.goneResults = await findGone(setup)
  return {
    ...tools,
    forStep: (step, budget) =>
      whenDone(tools.forStep(step, budget), (made) => readers.get(runId)?.addTo(made, budget) ?? made),
  }
}

/** Lets go of what is kept for a run that is over. What a session has read it can still read in its next run. */
export async function endLongResults({ executor: { readers }, record }: RunSetup): Promise<void> {
  const { runId, conversation } = record
  const reader = readers.get(runId)
  readers.delete(runId)
  if (conversation === undefined) await reader?.forget()
}

/** The messages as the model of a run reads them: of what can no longer be read it is not told to read it. */
export function withoutGone(setup: RunSetup): readonly Message[] {
  const { messages, goneResults } = setup.record
  if (goneResults.size === 0) return messages
  const read = toldIn(setup)
  return messages.map((message) => (message.role === 'tool' ? read(message) : message))
}

const toldIn = once(({ record, texts }: RunSetup) => {
  const { noLongerKept } = { ...longResultTextsEn, ...texts.results }
  const told = (result: MessageResult): MessageResult => {
    const note = readNote(result.text)
    if (note === undefined || !record.goneResults.has(note.handle)) return result
    return { ...result, text: note.before + noLongerKept + note.behind }
  }
  // Each message once: the provider shall find the same conversation again.
  return once((message: Extract<Message, { role: 'tool' }>): Message => {
    const results = message.results.map(told)
    return results.some((result, index) => result !== message.results[index])
      ? { ...message, results }
      : message
  })
})

/** Opens the reader for what is still kept of the conversation, and gives the handles of what is not. */
async function findGone(setup: RunSetup): Promise<ReadonlySet<string>> {
  const { executor, record, resultStore, permissions, maxResultChars, texts } = setup
  const handles = handlesIn(record)
  if (handles.length === 0) return record.goneResults
  const { runId, conversation } = record
  let kept: readonly string[] = []
  try {
    const { reopenReader } = await theParking()
    kept = await reopenReader(executor.readers, runId, {
      owner: conversation ?? runId,
      resultStore,
      permissions: permissions === undefined ? [] : [permissions],
      maxChars: maxResultChars,
      texts,
    })
  } catch {
    // Without what reads them none can be read.
  }
  return new Set(handles.filter((handle) => !kept.includes(handle)))
}

/** The handles of which the conversation says that they can be read. */
function handlesIn({ messages, open }: RunRecord): readonly string[] {
  const over = messages.flatMap((message) => (message.role === 'tool' ? message.results : []))
  const waiting = open?.calls.flatMap(({ result }) => result ?? []) ?? []
  return [...over, ...waiting].flatMap(({ text }) => readNote(text)?.handle ?? [])
}
