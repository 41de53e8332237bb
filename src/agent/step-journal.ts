import type { CallJournal, OpenedCall } from '../execution/call-journal.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import { type SavedCall, savedCall, waitingCall } from './saved-call.ts'

/** The journal of one step: knows how far each call is, and has it saved before anything depends on it. */
export class StepJournal implements CallJournal {
  readonly #calls: Map<string, SavedCall>
  readonly #read: (result: ToolResult) => Promise<void>
  readonly #save: (calls: readonly SavedCall[]) => Promise<void>

  /**
   * @param calls - Those that were opened before.
   * @param read - Reads what of a result cannot be saved at once.
   */
  constructor(
    calls: readonly SavedCall[],
    read: (result: ToolResult) => Promise<void>,
    save: (calls: readonly SavedCall[]) => Promise<void>,
  ) {
    this.#read = read
    this.#calls = new Map(calls.map((call) => [call.id, call]))
    this.#save = save
  }

  async opened(opened: readonly OpenedCall[]): Promise<void> {
    for (const { call, result, pending } of opened) {
      const before = this.#calls.get(call.id) ?? waitingCall(call)
      // A new question: an answer to an earlier one is none to it.
      const open = pending === undefined ? before : { ...waitingCall(call), pending }
      this.#calls.set(call.id, result === undefined ? open : savedCall(result, before))
    }
    if (opened.some(({ pending }) => pending !== undefined)) await this.#saveNow()
  }

  async starting(callId: string): Promise<void> {
    const call = this.#calls.get(callId)
    if (call !== undefined) this.#calls.set(callId, { ...waitingCall(call), progress: 'running' })
    await this.#saveNow()
  }

  async settled(result: ToolResult): Promise<void> {
    if (result.response.parts !== undefined) await this.#read(result)
    const before = this.#calls.get(result.call.id)
    this.#calls.set(result.call.id, savedCall(result, before))
    // A call that changed nothing may run again; but a person is not asked again, and who answers elsewhere has its id.
    const isAnswered = before?.pending !== undefined && result.outcome !== 'deferred'
    const isElsewhere = result.pending?.kind === 'external'
    const mustLast = before?.progress === 'running' || isAnswered || isElsewhere
    // The call is over, whatever the store says. The next save has it, too, and ends the run if that fails.
    if (mustLast) await this.#saveNow().catch(() => {})
  }

  #saveNow(): Promise<void> {
    return this.#save([...this.#calls.values()])
  }
}
