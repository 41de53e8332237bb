import { isClean } from '../execution/run-taint.ts'
import { emit } from './emit.ts'
import { withoutTaint } from './history-taint.ts'
import type { RunSetup } from './run-setup.ts'

/** Does what the app wants of what was read before the run starts or goes on, and tells of it. */
export function clearTaint(setup: RunSetup): void {
  const { record, clearTaint: reason } = setup
  if (reason === undefined) return
  const { messages } = record
  const taint = record.taint.clear()
  messages.splice(0, messages.length, ...withoutTaint(messages))
  if (!isClean(taint)) emit(setup, { type: 'taint-cleared', reason, taint })
}
