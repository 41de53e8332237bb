import type { ApprovalRequest } from '../execution/approval.ts'
import { errorToData } from '../tool/error-data.ts'
import { deepFreeze, type JsonObject, type ToolIssue } from '../tool/json-value.ts'
import type { Reading } from './form-control.ts'

/** What is known about the input that is being written. */
export type CheckState =
  /** May be sent. */
  | { readonly kind: 'right' }
  /** Not known yet. */
  | { readonly kind: 'checking' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'wrong'; readonly issues: readonly ToolIssue[] }
  /** The check itself did not work. */
  | { readonly kind: 'failed'; readonly why: string }

/** Checks an input while it is being written. */
export interface InputCheck {
  /** Something was written: what was known is forgotten, and the check starts when the person pauses. */
  restart(): void
  /** Checks what stands there now. */
  start(): void
}

/** The check starts when nothing was written for this long, in milliseconds. */
const pauseMs = 250

/**
 * Makes a check. `read` gives what stands there now, with `undefined` for what needs no check; `told` is called
 * with each new state. Of several checks that are under way only the newest counts.
 */
export function inputCheck(
  request: ApprovalRequest,
  read: () => Reading<JsonObject>,
  told: (state: CheckState) => void,
): InputCheck {
  let newest = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const start = () => {
    clearTimeout(timer)
    newest += 1
    const own = newest
    const { value, problem } = read()
    if (problem !== undefined) return told({ kind: 'unreadable' })
    if (value === undefined) return told({ kind: 'right' })
    told({ kind: 'checking' })
    void askGate(request, value).then((state) => {
      if (own === newest) told(state)
    })
  }
  const restart = () => {
    const { value, problem } = read()
    if (value === undefined && problem === undefined) return start()
    clearTimeout(timer)
    newest += 1
    told({ kind: 'checking' })
    timer = setTimeout(start, pauseMs)
  }
  return { start, restart }
}

async function askGate(request: ApprovalRequest, input: JsonObject): Promise<CheckState> {
  try {
    const issues = await request.check(deepFreeze(input))
    return issues.length === 0 ? { kind: 'right' } : { kind: 'wrong', issues }
  } catch (error) {
    return { kind: 'failed', why: errorToData(error).message }
  }
}
