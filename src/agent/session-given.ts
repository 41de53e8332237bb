import { forgetResults } from '../execution/forget-results.ts'
import { defined } from '../tool/defined.ts'
import { randomId } from '../tool/random-id.ts'
import type { Agent, ResumeOptions, RunOptions } from './agent.ts'
import type { Message } from './message.ts'
import type { StoredConversation } from './session-restore.ts'

/** What a session gives to its next run. */
export class SessionGiven<Deps> {
  deps: Deps | undefined
  /** Why the app vouches for what was read so far, until a run begins with that. */
  clearTaint: string | undefined
  /** What the long results of its runs are kept for: no other session reads them. */
  #conversation: string = newConversation()

  constructor(deps: Deps | undefined) {
    this.deps = deps
  }

  /** As a new run takes it. */
  runOptions(messages: readonly Message[], signal: AbortSignal): RunOptions<Deps> {
    return { messages, conversation: this.#conversation, ...this.options(signal) }
  }

  /** As a run takes it that goes on. */
  options(signal: AbortSignal): ResumeOptions<Deps> {
    return defined({ signal, deps: this.deps, clearTaint: this.clearTaint })
  }

  /** Goes on with a conversation that a store has. */
  restored({ conversation }: StoredConversation): void {
    this.#conversation = conversation ?? newConversation()
  }

  /** Lets go of what is kept for the conversation. Never rejects. */
  forget(agent: Agent<Deps>): Promise<void> {
    return forgetResults(this.#conversation, agent['~resultStore'])
  }
}

function newConversation(): string {
  return randomId('conversation')
}
