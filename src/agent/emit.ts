import { now } from '../tool/clock.ts'
import type { AgentEvent } from './run-result.ts'
import type { RunSetup } from './run-setup.ts'

type DistributedOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

/** Tells an event of a run. */
export function emit(
  { record, tell }: Pick<RunSetup, 'record' | 'tell'>,
  event: DistributedOmit<AgentEvent, 'runId' | 'step' | 'at'>,
): void {
  tell({ at: now(), ...event, runId: record.runId, step: record.step } as AgentEvent)
}
