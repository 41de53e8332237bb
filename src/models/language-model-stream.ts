import type { ProviderMetadata } from '../agent/message.ts'
import type { ModelEvent, ModelFinish } from '../agent/model-adapter.ts'
import { defined } from '../tool/defined.ts'
import { modelError } from './language-model-error.ts'
import { madeFile } from './language-model-files.ts'
import type { LanguageModelPart } from './language-model-types.ts'

/**
 * Reads the parts of one answer. Each makes at most one event: kinds that are not known, sources, and what the
 * provider ran itself make none.
 */
export class PartReader {
  readonly #closesCalls: boolean
  /** The keys of open pieces and calls, by the stream's ids: those may come again in the same answer. */
  readonly #pieces = new Map<string, string>()
  readonly #calls = new Map<string, { readonly key: string; readonly name: string }>()
  #count = 0

  constructor(closesCalls: boolean) {
    this.#closesCalls = closesCalls
  }

  /** @throws what the stream tells as an error. */
  read(part: LanguageModelPart): ModelEvent | undefined {
    const { type } = part
    if (type.startsWith('text-')) return this.#piece(part, 'text')
    if (type.startsWith('reasoning-')) return this.#piece(part, 'reasoning')
    if (type === 'tool-input-start') return this.#openCall(part)
    if (type === 'tool-input-delta') return this.#callInput(part)
    if (type === 'tool-call') return this.#call(part)
    if (type === 'file')
      return { type, file: defined({ ...madeFile(part.mediaType ?? '', part.data), ...metadataOf(part) }) }
    if (type === 'finish') return readFinish(part)
    if (type === 'error') throw modelError(part.error)
    return undefined
  }

  #piece(part: LanguageModelPart, kind: 'text' | 'reasoning'): ModelEvent | undefined {
    const id = kind + part.id
    let piece = this.#pieces.get(id)
    if (piece === undefined || part.type.endsWith('start')) {
      piece = this.#newKey()
      this.#pieces.set(id, piece)
    }
    const { delta: text = '' } = part
    if (text === '' && part.providerMetadata === undefined) return undefined
    return defined({ type: `${kind}-delta` as const, text, part: piece, ...metadataOf(part) })
  }

  #openCall({ id = '', toolName, providerExecuted }: LanguageModelPart): undefined {
    if (!providerExecuted && toolName) this.#calls.set(id, { key: this.#newKey(), name: toolName })
  }

  #callInput({ id = '', delta }: LanguageModelPart): ModelEvent | undefined {
    const call = this.#calls.get(id)
    return call && delta ? { type: 'call-input-delta', ...call, text: delta } : undefined
  }

  #call(part: LanguageModelPart): ModelEvent | undefined {
    if (part.providerExecuted) return undefined
    const { toolCallId: id = '', toolName: name = '', input } = part
    const key = this.#calls.get(id)?.key
    this.#calls.delete(id)
    const closed = this.#closesCalls || undefined
    return { ...defined({ type: 'call' as const, id, name, key, closed, ...metadataOf(part) }), input }
  }

  #newKey(): string {
    this.#count += 1
    return String(this.#count)
  }
}

// It came as JSON, and only the package that made it reads it.
function metadataOf({ providerMetadata }: LanguageModelPart): {
  readonly providerMetadata: ProviderMetadata | undefined
} {
  return { providerMetadata: providerMetadata as ProviderMetadata | undefined }
}

const finishReasons: readonly (ModelFinish | undefined)[] = ['stop', 'length', 'content-filter', 'tool-calls']

interface Finish {
  readonly finishReason?: { readonly unified?: string; readonly raw?: string }
  readonly usage?: {
    readonly inputTokens?: { readonly total?: number }
    readonly outputTokens?: { readonly total?: number }
  }
}

function readFinish(part: LanguageModelPart): ModelEvent {
  const { finishReason: { unified, raw = 'no reason given' } = {}, usage: tokens } = part as Finish
  if (unified === 'error') throw new Error(`The model stopped with an error: ${raw}.`)
  // When the connection broke off, what there is of the message is not all of it.
  const known = unified === 'interrupted' ? 'length' : finishReasons.find((reason) => reason === unified)
  const [input, output] = [tokens?.inputTokens?.total, tokens?.outputTokens?.total]
  const isKnown = input !== undefined || output !== undefined
  const usage = isKnown ? { inputTokens: input ?? 0, outputTokens: output ?? 0 } : undefined
  return defined({ type: 'finish' as const, reason: known ?? 'other', usage })
}
