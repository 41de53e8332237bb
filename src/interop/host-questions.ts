import { canonicalJson, copyJson } from '../tool/json-value.ts'
import type { PendingCall } from '../tool/pending-call.ts'
import type { CallRequest } from '../tool/tool-result.ts'

/** A host that never runs what it has asked about must not fill the memory. */
const maxOpen = 1_000

/**
 * The questions that a host asks by its own means. A host that runs the very call that it has asked about says with it
 * that the person said yes; so each question is for one call: its id, its tool and its input.
 */
export class HostQuestions {
  readonly #open = new Map<string, PendingCall>()

  /** What was asked about a call, and is not used up. */
  find(request: CallRequest): PendingCall | undefined {
    return this.#open.get(keyOf(request))
  }

  add(request: CallRequest, question: PendingCall): void {
    this.#open.set(keyOf(request), question)
    const [oldest] = this.#open.keys()
    if (this.#open.size > maxOpen && oldest !== undefined) this.#open.delete(oldest)
  }

  /** What was asked about a call: from now on, nothing was. */
  take(request: CallRequest): PendingCall | undefined {
    const question = this.find(request)
    this.#open.delete(keyOf(request))
    return question
  }
}

// Of one text with marks in between, two calls could have the same one.
function keyOf({ name, input, providerId }: CallRequest): string {
  const { value, issues } = copyJson(typeof input === 'string' ? parsed(input) : input)
  return canonicalJson([providerId ?? null, name, issues === undefined ? value : String(input)])
}

/** Some hosts ask with the input, and call with its text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
