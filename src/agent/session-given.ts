import { defined } from '../tool/defined.ts'
import type { ResumeOptions } from './agent.ts'

/** What a session gives to its next run. */
export class SessionGiven<Deps> {
  deps: Deps | undefined
  /** Why the app vouches for what was read so far, until a run begins with that. */
  clearTaint: string | undefined

  constructor(deps: Deps | undefined) {
    this.deps = deps
  }

  /** As a run takes it. */
  options(signal: AbortSignal): ResumeOptions<Deps> {
    return defined({ signal, deps: this.deps, clearTaint: this.clearTaint })
  }
}
