import { forgetResults } from '../execution/forget-results.ts'
import { theParking } from '../execution/parking.ts'
import { namesHandle } from '../execution/result-handle.ts'
import type { RunTools } from '../execution/run-tools.ts'
import { whenDone } from '../tool/when-done.ts'
import type { RunRecord } from './run-record.ts'
import type { RunSetup } from './run-setup.ts'

/** The tools of a run with, once a long result of it is kept, the tool that reads it. */
export async function withLongResults(tools: RunTools, setup: RunSetup): Promise<RunTools> {
  const { executor, record, reopened, texts, maxResultChars } = setup
  const { readers } = executor
  const { runId } = record
  if (reopened !== undefined && !readers.has(runId) && namesResult(record)) {
    const { reopenReader } = await theParking()
    await reopenReader(readers, runId, maxResultChars, texts)
  }
  return {
    ...tools,
    forStep: (step, budget) =>
      whenDone(tools.forStep(step, budget), (made) => readers.get(runId)?.addTo(made, budget) ?? made),
  }
}

/** Lets go of what is kept for a run that is over. */
export async function endLongResults({ executor, record }: RunSetup): Promise<void> {
  await forgetResults(executor.readers, record.runId)
}

/** Whether the conversation says that a long result was kept. */
function namesResult({ messages, open }: RunRecord): boolean {
  const over = messages.flatMap((message) => (message.role === 'tool' ? message.results : []))
  const waiting = open?.calls.flatMap(({ result }) => result ?? []) ?? []
  return [...over, ...waiting].some(({ text }) => namesHandle(text))
}
