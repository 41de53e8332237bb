import type { ModelAdapter, ModelEvent, ModelFinish, ModelRequest } from '../agent/model-adapter.ts'

/** A call that a script asks for. */
export interface ScriptedCall {
  readonly name: string
  /** An object, or raw text to play a model that writes JSON itself. */
  readonly input: unknown
  /** The provider's id. @default a new one */
  readonly id?: string
}

/** One model message: a text, one call, several calls at once, both with a finish reason, or what an adapter says. */
export type ScriptedTurn =
  | string
  | ScriptedCall
  | readonly ScriptedCall[]
  | { readonly text?: string; readonly calls?: readonly ScriptedCall[]; readonly finish?: ModelFinish }
  /**
   * Said as they stand, with the pauses and errors of an async generator: reasoning, files, provider metadata, calls
   * piece by piece. Those that end without a `finish` are a message that broke off without a word.
   */
  | { readonly events: Iterable<ModelEvent> | AsyncIterable<ModelEvent> }

/**
 * A model for tests and demos that says what its script says, one turn per request. A turn may be a
 * function of the request.
 *
 * @example
 * const model = new ScriptedModel([ScriptedModel.toolCall('add', { a: 1, b: 2 }), 'It is 3.'])
 */
export class ScriptedModel implements ModelAdapter {
  readonly name: string = 'scripted'
  /** The requests so far; their message lists are copies. */
  readonly requests: ModelRequest[] = []
  readonly #turns: readonly (ScriptedTurn | ((request: ModelRequest) => ScriptedTurn))[]

  constructor(turns: readonly (ScriptedTurn | ((request: ModelRequest) => ScriptedTurn))[]) {
    this.#turns = turns
  }

  /** A call for a script; put several into one list to have them made in one step. */
  static toolCall(name: string, input: unknown = {}, id?: string): ScriptedCall {
    return id === undefined ? { name, input } : { name, input, id }
  }

  /** Throws unless the whole script was used. */
  assertComplete(): void {
    const left = this.#turns.length - this.requests.length
    if (left > 0) {
      throw new Error(
        `ScriptedModel: ${left} of ${this.#turns.length} turns were not asked for. The run ended too early.`,
      )
    }
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const index = this.requests.length
    this.requests.push({ ...request, messages: [...request.messages] })
    const turn = this.#turns[index]
    if (turn === undefined) {
      throw new Error(
        `ScriptedModel: request ${index + 1} came, but the script has only ${this.#turns.length} turns. Add what the model says next.`,
      )
    }
    request.signal.throwIfAborted()
    const said = typeof turn === 'function' ? turn(request) : turn
    if (typeof said === 'object' && 'events' in said) {
      yield* said.events
      return
    }
    const { text, calls, finish } = readTurn(said)
    // Word by word, so that code which reads streams is tried.
    for (const word of text.match(/\S+\s*|\s+/g) ?? []) yield { type: 'text-delta', text: word }
    for (const [position, call] of calls.entries()) {
      yield {
        type: 'call',
        id: call.id ?? `scripted_${index + 1}_${position + 1}`,
        name: call.name,
        input: call.input,
      }
    }
    yield { type: 'finish', reason: finish ?? (calls.length > 0 ? 'tool-calls' : 'stop') }
  }
}

function readTurn(turn: Exclude<ScriptedTurn, { events: unknown }>): {
  text: string
  calls: readonly ScriptedCall[]
  finish?: ModelFinish
} {
  if (typeof turn === 'string') return { text: turn, calls: [] }
  if (isCallList(turn)) return { text: '', calls: turn }
  if ('name' in turn) return { text: '', calls: [turn] }
  return {
    text: turn.text ?? '',
    calls: turn.calls ?? [],
    ...(turn.finish === undefined ? {} : { finish: turn.finish }),
  }
}

function isCallList(turn: ScriptedTurn): turn is readonly ScriptedCall[] {
  return Array.isArray(turn)
}
