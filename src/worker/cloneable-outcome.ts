import { transfer as moveBuffers } from 'comlink'
import type { CallOutcome } from '../tool/call-outcome.ts'
import { findUncloneable, type Uncloneable } from '../tool/cloneable.ts'
import { ToolError } from '../tool/errors.ts'
import { transfersOf } from '../tool/transfer.ts'

/**
 * An outcome that can leave the worker; what its tool marked is moved, not copied.
 *
 * @throws {@link ToolError} that names the tool and the key of what cannot be cloned.
 */
export function cloneableOutcome(name: string, outcome: CallOutcome): CallOutcome {
  if (outcome.kind !== 'response') return outcome
  const { response } = outcome
  const found = findUncloneable(response, { classInstances: 'keep-fields' })
  if (found !== undefined) {
    // The author knows the value as what the tool returned, not as the data of a response.
    const path = found.path.replace(/^data\.?/, '')
    throw uncloneableError(`${name}: result`, { path, what: found.what })
  }
  const buffers = new Set([...transfersOf(response), ...transfersOf(response.data)])
  return buffers.size === 0 ? outcome : moveBuffers(outcome, [...buffers])
}

/** @param what - In words, with the tool's name. */
export function uncloneableError(what: string, found: Uncloneable | undefined): ToolError {
  const place =
    found === undefined ? '' : ` (${found.path === '' ? 'it' : `"${found.path}"`} is ${found.what})`
  return new ToolError(`${what} cannot be cloned out of the worker${place}; use plain data there`, {
    code: 'uncloneable',
  })
}
