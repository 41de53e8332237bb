import { type LinkedAbort, linkedAbort } from '../tool/abort.ts'

interface Turn {
  readonly abort: LinkedAbort
  isStopping: boolean
  ended: Promise<void>
}

/** What a session does, one after the other: whoever comes later begins when the one before is over. */
export class SessionTurns {
  #turn: Turn | undefined

  /** Whether somebody has the turn. */
  get isTaken(): boolean {
    return this.#turn !== undefined
  }

  /** Whether nobody has the turn, or it was told to stop. */
  get isFree(): boolean {
    return this.#turn === undefined || this.#turn.isStopping
  }

  /** Resolves when the turn that is taken now is over. */
  async ended(): Promise<void> {
    await this.#turn?.ended
  }

  /** Takes the next turn and resolves when it is over. `run` may not reject. */
  take(outer: AbortSignal | undefined, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const before = this.#turn?.ended
    const abort = linkedAbort(outer)
    const turn: Turn = { abort, isStopping: false, ended: Promise.resolve() }
    this.#turn = turn
    const runNext = async () => {
      await before
      await run(abort.signal)
      abort.release()
      if (this.#turn === turn) this.#turn = undefined
    }
    turn.ended = runNext()
    return turn.ended
  }

  /** Aborts what has the turn, and resolves when it is over. */
  async stop(reason: unknown): Promise<void> {
    const turn = this.#turn
    if (turn === undefined) return
    turn.isStopping = true
    turn.abort.abort(reason)
    await turn.ended
  }
}
