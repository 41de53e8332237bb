import type { FilePart } from '../agent/message.ts'
import { defined } from '../tool/defined.ts'
import type { HostResult } from './host-calls.ts'

/** What another loop is given for a call: plain data, and JSON where the tool's `data` is. */
export interface HostOutput {
  /** `running` while it runs; `partial` when the text says that the answer is not complete. */
  readonly status: 'success' | 'partial' | 'running'
  /** What the model reads. */
  readonly text: string
  /** What the tool gave, for the app. */
  readonly data?: unknown
  /** Images and files for the model: base64, or an address. */
  readonly parts?: readonly FilePart[]
  /** What the tool reported last, while it runs. */
  readonly progress?: unknown
}

/**
 * The output of a call that went well.
 *
 * @throws Error with what the model is to read, when it did not: that is how hosts are told.
 */
export function hostOutput({ result, isOk, text, parts }: HostResult): HostOutput {
  if (!isOk) throw new Error(text)
  const { data } = result.response
  const status = result.outcome === 'partial' ? ('partial' as const) : ('success' as const)
  return defined({ status, text, data, parts: parts.length > 0 ? parts : undefined })
}
