import type { ModelEvent } from '../agent/model-adapter.ts'
import { defined } from '../tool/defined.ts'
import type { JsonObject } from '../tool/json-value.ts'
import { isRecord } from '../tool/value-kinds.ts'
import { callMetadata } from './wire-metadata.ts'

/** A piece of a call, as far as it says anything. */
interface Piece {
  readonly index: number | undefined
  readonly id: string
  readonly name: string
  readonly text: string
}

interface OpenCall {
  readonly key: string
  readonly index: number | undefined
  id: string
  name: string
  text: string
  /** How much of the text was told. */
  told: number
  /** What the server wants back with the call. */
  extra: JsonObject | undefined
}

const knownFields = ['index', 'id', 'type', 'function']

/**
 * Puts the pieces together in which a chat completion sends its calls. Servers do not agree on how: calls may share
 * an index, come without one, or without an id; ids and names may come late, in parts, or with every piece.
 */
export class ToolCallAssembler {
  readonly #calls: OpenCall[] = []
  readonly #model: string

  constructor(model: string) {
    this.#model = model
  }

  /** Takes a piece; `position` stands for an index that it lacks. Gives the arguments that can be told now. */
  add(delta: unknown, position: number | undefined): ModelEvent | undefined {
    if (!isRecord(delta)) return undefined
    const piece = readPiece(delta, position)
    const known = this.#find(piece)
    if (known !== undefined && isRepeat(known, piece)) return undefined
    const call = known === undefined || startsAnew(known, piece) ? this.#open(piece) : known
    call.id ||= piece.id
    call.name = joinName(call.name, piece.name)
    call.text += piece.text
    call.extra = extraOf(delta, call.extra)
    // A name is whole once arguments come.
    if (call.name === '' || call.told === call.text.length) return undefined
    const text = call.told === 0 ? call.text : piece.text
    call.told = call.text.length
    return { type: 'call-input-delta', key: call.key, name: call.name, text }
  }

  /** The calls, in the order in which they began. */
  finish(): readonly ModelEvent[] {
    return this.#calls
      .filter(({ name, text }) => name !== '' || text.trim() !== '')
      .map(({ key, id, name, text, extra }) =>
        defined({
          ...{ type: 'call' as const, key, name, id: id || undefined },
          // No arguments are what a call without any looks like.
          input: text.trim() === '' ? {} : text,
          providerMetadata: extra && callMetadata(this.#model, extra),
        }),
      )
  }

  /** The call that a piece may belong to: the last one at its index; without an index the one of its id, or the last. */
  #find({ index, id }: Piece): OpenCall | undefined {
    const last = this.#calls.at(-1)
    if (index === undefined && id === '') return last
    const here = ({ index: at, id: its }: OpenCall) => at === index && (id === '' || its === id)
    const same = last && here(last) ? last : this.#calls.findLast(here)
    if (same !== undefined || index === undefined) return same
    return this.#calls.findLast((call) => call.index === index)
  }

  #open({ index }: Piece): OpenCall {
    const key = `call-${this.#calls.length}`
    const call: OpenCall = { key, index, id: '', name: '', text: '', told: 0, extra: undefined }
    this.#calls.push(call)
    return call
  }
}

function readPiece(delta: Record<string, unknown>, position: number | undefined): Piece {
  const { index, id, function: described } = delta
  const { name, arguments: input } = isRecord(described) ? described : ({} as Record<string, unknown>)
  return {
    index: typeof index === 'number' ? index : position,
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : '',
    name: typeof name === 'string' ? name : '',
    text: typeof input === 'string' ? input : isRecord(input) ? JSON.stringify(input) : '',
  }
}

/**
 * Whether a piece cannot belong to the call at its place. Another id alone says nothing: LM Studio and Kimi give each
 * piece of one call a new one (hermes-agent#5331, #45164). But a call begins with its name, and nothing can follow a
 * whole object.
 */
function startsAnew(call: OpenCall, { id, name, text }: Piece): boolean {
  const isOther = id !== '' && call.id !== '' && id !== call.id
  if (name !== '' && isOther) return true
  if (name !== '' && name !== call.name && call.name !== '' && call.text !== '') return true
  return (name !== '' || isOther) && text.trimStart()[0] === '{' && isWhole(call.text)
}

/** Whether a call is sent once more as a whole. */
function isRepeat(call: OpenCall, { id, text }: Piece): boolean {
  return id !== '' && id === call.id && text !== '' && text === call.text && isWhole(text)
}

function isWhole(text: string): boolean {
  try {
    return isRecord(JSON.parse(text))
  } catch {
    return false
  }
}

/** A name may come in parts, and whole with every piece. */
function joinName(known: string, piece: string): string {
  return piece.startsWith(known) ? piece : known + piece
}

function extraOf(delta: Record<string, unknown>, before: JsonObject | undefined): JsonObject | undefined {
  const extra = Object.entries(delta).filter(([key, value]) => value != null && !knownFields.includes(key))
  return extra.length === 0 ? before : { ...before, ...(Object.fromEntries(extra) as JsonObject) }
}
