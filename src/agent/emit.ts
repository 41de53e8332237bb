import { now } from '../tool/clock.ts'
import type { AgentEvent } from './run-result.ts'
import type { RunSetup } from './run-setup.ts'

type DistributedOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

/** The events of some types, without the fields that are the same for all. */
export type EventOf<Type extends AgentEvent['type']> = DistributedOmit<
  Extract<AgentEvent, { type: Type }>,
  'runId' | 'step' | 'at'
>

/** Tells an event of a run. */
export function emit(
  { record, tell }: Pick<RunSetup, 'record' | 'tell'>,
  event: EventOf<AgentEvent['type']>,
): void {
  tell?.({ at: now(), ...event, runId: record.runId, step: record.step } as AgentEvent)
}
