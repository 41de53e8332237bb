import {
  Agent,
  type ApprovalDecision,
  Grants,
  indexedDBRunStore,
  type ModelAdapter,
  type ModelEvent,
  type ModelRequest,
  type RunError,
  type RunResult,
  type RunState,
  type ToolPermissions,
  type ToolSource,
  WorkerToolset,
} from 'offstage'
import { indexedDBStore } from '../../../src/storage/indexeddb-store.ts'
import { say } from '../../support/worker/say.ts'
import { release } from './release.ts'

/** Where a run is when something happens to it. */
export type Place = 'preflight' | 'dialog' | 'executing' | 'between steps' | 'paused'

/** How a run ended, or went on to wait. */
export interface Ending {
  readonly status: RunResult['status'] | 'aborted'
  /** Of the last call in the conversation. */
  readonly outcome: string | undefined
  readonly waiting: readonly string[]
  readonly alreadyAnswered: readonly string[]
  readonly state: RunState | undefined
}

/** What differs from tab to tab. */
export interface TabOptions {
  readonly id: string
  /** Where the run is to stop. Absent: nowhere. */
  readonly place?: Place
  /** What the person answers at once, where they are not to take their time. */
  readonly says?: ApprovalDecision
  /** Whether the model asks for a second call. */
  readonly again?: boolean
  readonly timeoutMs?: number
  readonly deadlineMs?: number
  readonly permissions?: ToolPermissions
}

/** One tab of an app: an agent with its tools in workers, and its runs and grants in the database of the site. */
export class Tab {
  readonly agent: Agent
  readonly grants: Grants
  /** How often a person was asked. */
  asked = 0
  readonly #options: TabOptions
  readonly #kits = { one: kit('one'), two: kit('two') }
  readonly #page = new AbortController()
  #edition: 'one' | 'two' = 'one'
  #answer: (decision: ApprovalDecision) => void = () => {}
  #modelGoesOn: () => void = () => {}

  constructor(options: TabOptions) {
    const { id, place, timeoutMs = 20_000, deadlineMs, permissions } = options
    this.#options = options
    this.grants = new Grants({ store: indexedDBStore(`grants-${id}`) })
    this.agent = new Agent({
      model: this.#model(),
      tools: [this.#tools()],
      store: indexedDBRunStore(`runs-${id}`),
      grants: this.grants,
      confirm: place === 'paused' ? 'pause' : () => this.#ask(),
      timeoutMs,
      ...(deadlineMs === undefined ? {} : { limits: { deadlineMs } }),
      ...(permissions === undefined ? {} : { permissions }),
    })
  }

  /** Starts the workers, so that no deadline counts their start. */
  start(): Promise<void> {
    return this.#kits.one.start()
  }

  run(): Promise<Ending> {
    return ending(this.agent.run('Act.', { signal: this.#page.signal }))
  }

  /** Answers `true` to the calls of these ids, and goes on. Gives the code of the error when the library refuses. */
  async resume(state: RunState, yesTo: readonly string[]): Promise<Ending | string> {
    const answers = Object.fromEntries(yesTo.map((id) => [id, true]))
    try {
      return await ending(this.agent.resume(state, answers, { signal: this.#page.signal }))
    } catch (error) {
      return String((error as { code?: unknown }).code ?? error)
    }
  }

  /** The run as it was saved last, and the id of its last call. */
  async saved(): Promise<{ readonly state: RunState; readonly callId: string }> {
    const [run] = await indexedDBRunStore(`runs-${this.#options.id}`).list()
    const state = run?.state as unknown as RunState
    const said = state.messages.findLast((message) => message.role === 'assistant' && message.calls)
    const last = said?.role === 'assistant' ? said.calls?.at(-1) : undefined
    return { state, callId: (state.open?.calls.at(-1) ?? last)?.id ?? 'call_none' }
  }

  abort(): void {
    this.#page.abort()
  }

  /** From now on another edition of the tool stands there. */
  replace(): void {
    this.#edition = 'two'
  }

  /** Lets everything go on that waits: the tool, the person (with a yes) and the model. */
  goOn(): void {
    release(this.#options.id)
    this.#answer(true)
    this.#modelGoesOn()
  }

  async close(): Promise<void> {
    this.abort()
    await this.agent.close()
  }

  #reached(place: Place): void {
    say(`${this.#options.id} at ${place}`)
  }

  #ask(): ApprovalDecision | Promise<ApprovalDecision> {
    this.asked += 1
    if (this.#options.place !== 'dialog') return this.#options.says ?? true
    return new Promise((resolve) => {
      this.#answer = resolve
      this.#reached('dialog')
    })
  }

  #tools(): ToolSource {
    const current = () => this.#kits[this.#edition] as ToolSource
    return {
      reportsStart: true,
      list: () => current().list(),
      preflight: (...call) => current().preflight(...call),
      call: (...call) => current().call(...call),
      close: async () => {
        await Promise.all([this.#kits.one.close(), this.#kits.two.close()])
      },
    }
  }

  #model(): ModelAdapter {
    const { id, place = 'nowhere', again = false } = this.#options
    const tab = this
    async function* stream({ messages }: ModelRequest): AsyncGenerator<ModelEvent> {
      const steps = messages.filter(({ role }) => role === 'tool').length
      if (steps === 0) yield { type: 'call', name: 'act', input: { id, place } }
      if (steps === 1 && place === 'between steps') {
        tab.#reached('between steps')
        await new Promise<void>((resolve) => {
          tab.#modelGoesOn = resolve
        })
      }
      if (steps === 1 && again) yield { type: 'call', name: 'act', input: { id, place: 'nowhere' } }
      yield { type: 'text-delta', text: 'done' }
    }
    return { name: 'staged', stream }
  }
}

function kit(name: string): WorkerToolset {
  return new WorkerToolset(
    () => new Worker(new URL('./tab.worker.ts', import.meta.url), { type: 'module', name }),
    { size: 1 },
  )
}

async function ending(running: Promise<RunResult>): Promise<Ending> {
  try {
    return read(await running)
  } catch (error) {
    const { name, result } = error as RunError
    if (name !== 'AbortError') throw error
    return { ...read(result), status: 'aborted' }
  }
}

function read({ status, messages, pending, alreadyAnswered = [], state }: RunResult): Ending {
  const last = messages.findLast((message) => message.role === 'tool')
  const outcome = last?.role === 'tool' ? last.results.at(-1)?.outcome : undefined
  return { status, outcome, waiting: pending.map(({ callId }) => callId), alreadyAnswered, state }
}

/** For the page that has this one in a frame. */
Object.assign(globalThis, { Tab })
