import type { Settlement } from '../tool/tool-result.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { deferral } from './pending.ts'
import type { PreparedCall } from './prepare-call.ts'

/** What one pass through the onion leaves behind. */
export interface Pass {
  /** The call as it last ran. */
  call: PreparedCall
  /** A call that must be approved before it can run. */
  pending: PreparedCall | undefined
  lane: string | undefined
  /** Set once the tool started. */
  startedAt: number | undefined
}

/** A pass that begins. */
export function openPass(call: PreparedCall): Pass {
  return { call, pending: undefined, lane: undefined, startedAt: undefined }
}

/** Ends a pass with a call that must be approved before it can run. */
export function defer(pass: Pass, call: PreparedCall, scope: ExecutionScope): Settlement {
  pass.pending = call
  return deferral(call.name, scope)
}
