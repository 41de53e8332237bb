import type { ModelAdapter, ModelEvent, ModelRequest } from '../agent/model-adapter.ts'
import type { DialectTexts } from '../schema-dialects/dialect-texts.ts'
import { onAbort } from '../tool/abort.ts'
import { checkCount, checkOptions } from '../tool/check-options.ts'
import { defined } from '../tool/defined.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import type { JsonObject } from '../tool/json-value.ts'
import { latePart } from '../tool/late-part.ts'
import type { MaybePromise } from '../tool/when-done.ts'
import { modelError } from './language-model-error.ts'
import { writePrompt } from './language-model-prompt.ts'
import { PartReader } from './language-model-stream.ts'
import { type ProviderTraits, traitsOf } from './language-model-traits.ts'
import type { AnyLanguageModel, LanguageModelCall, LanguageModelPart } from './language-model-types.ts'
import type { SetAsideTool, ToolDialect, ToolWire } from './tool-wire.ts'
import { withRetries } from './with-retries.ts'

/** What {@link fromLanguageModel} takes beside the model. */
export interface LanguageModelOptions {
  /**
   * What the model can do, in words that tools use in `requires`. With a list, images and files are sent only where it
   * has `images`, `files`, and those of results follow them where results cannot hold any; the model reads a line of
   * text in their place otherwise. @default nobody says: sent wherever the provider's API has a place for them
   */
  readonly capabilities?: readonly string[]
  /**
   * How often a request is made again when its package says that it may pass: it was refused for now, or the network
   * failed. Not once the answer has begun. @default 2
   */
  readonly maxRetries?: number
  /** Sent with every request as they are. */
  readonly settings?: LanguageModelSettings
  /**
   * Whose rules the tools are written by, for packages whose name does not say it: gateways, proxies.
   * @default by the name of the provider: Anthropic's and Gemini's for their models, OpenAI's for all others
   */
  readonly dialect?: ToolDialect
  /** Whether the model is held to the schemas while it writes, for tools whose schema allows it. @default false */
  readonly strict?: boolean
  /** Words for the model in place of what the provider's schemas cannot say. @default English */
  readonly schemaTexts?: Partial<DialectTexts>
  /** Told of each tool that cannot be sent, and why: the others are. */
  readonly onSetAside?: (tool: SetAsideTool) => void
}

const optionNames = [
  ...['capabilities', 'maxRetries', 'settings', 'dialect', 'strict', 'schemaTexts', 'onSetAside'],
]

const dialects: readonly unknown[] = [undefined, 'openai', 'anthropic', 'gemini']

/** Settings of a request, as the specification names them; those that a provider does not know are ignored by it. */
export interface LanguageModelSettings {
  readonly maxOutputTokens?: number
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly presencePenalty?: number
  readonly frequencyPenalty?: number
  readonly stopSequences?: readonly string[]
  readonly seed?: number
  /** How much to think: `none`, `minimal`, `low`, `medium`, `high` or `xhigh`; from version 4 on. */
  readonly reasoning?: string
  readonly headers?: Readonly<Record<string, string>>
  /** By the name of the provider, for example `{ openai: { store: false } }`. */
  readonly providerOptions?: Readonly<Record<string, JsonObject>>
}

/**
 * Makes any model of the AI SDK one for an agent, through its `doStream`: versions 3 and 4 of the specification, so
 * those of AI SDK 6 and 7. What the provider wants back (signatures, encrypted reasoning, item ids) is kept with the
 * messages. An image or a file at an address that the provider does not fetch is told as a line of text; nothing is
 * fetched here. A failed request ends the run with a {@link ModelError} as the cause of its `RunError`.
 *
 * @throws {@link ToolRegistrationError} for anything that is not such a model, and for an option that cannot be.
 * @example new Agent({ model: fromLanguageModel(createAnthropic({ baseURL, apiKey })('claude-sonnet-4-5')), tools })
 */
export function fromLanguageModel(model: AnyLanguageModel, options: LanguageModelOptions = {}): ModelAdapter {
  const where = 'fromLanguageModel()'
  checkModel(model, where)
  checkOptions(options, optionNames, where)
  const { capabilities, maxRetries = 2, settings, strict = false } = options
  checkCount(maxRetries, 0, `${where}, maxRetries`)
  const { provider, modelId } = model
  const traits = traitsOf(provider, modelId)
  const late = lateTools(options, traits)
  const ask = async (request: ModelRequest, wire: ToolWire) => {
    request.signal.throwIfAborted()
    const fetched = (await model.supportedUrls) ?? {}
    const prompt = writePrompt(request, { model, traits, fetched, capabilities, wire })
    return model.doStream({
      ...settings,
      prompt,
      ...toolsOf(request, wire, strict),
      abortSignal: request.signal,
    })
  }
  return defined({
    name: `${provider}/${modelId}`,
    capabilities,
    stream: (request: ModelRequest) => {
      const { signal } = request
      const attempt = async function* () {
        const wire = (await late()).write(offeredIn(request))
        yield* readStream(ask(request, wire), new PartReader(traits.closesCalls), wire, signal)
      }
      return withRetries(attempt, maxRetries, signal)
    },
  })
}

/** What writes the tools. It keeps what it made of them. */
function lateTools(
  { strict = false, schemaTexts: texts, onSetAside, dialect }: LanguageModelOptions,
  traits: ProviderTraits,
): () => MaybePromise<{ write(tools: ModelRequest['tools']): ToolWire }> {
  if (!dialects.includes(dialect)) {
    throw new ToolRegistrationError('fromLanguageModel(): dialect must be "openai", "anthropic" or "gemini".')
  }
  const { maxDescriptionChars } = traits
  // An app needs it with its first request, not at its start.
  return latePart(async () => {
    const { toolWires } = await import('./tool-wire.ts')
    const chosen = dialect ?? traits.dialect
    return { write: toolWires({ dialect: chosen, strict, texts, onSetAside, maxDescriptionChars }) }
  })
}

async function* readStream(
  asked: Promise<{ readonly stream: ReadableStream<LanguageModelPart> }>,
  parts: PartReader,
  wire: ToolWire,
  signal: AbortSignal,
): AsyncGenerator<readonly ModelEvent[]> {
  const { stream } = await asked.catch((error) => {
    throw modelError(error)
  })
  const reader = stream.getReader()
  const cancel = () => void reader.cancel().catch(() => {})
  // A model that ignores its signal would leave the read below waiting, and with it whoever gives this up.
  const release = onAbort(signal, cancel)
  try {
    while (true) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      // By the specification there is a finish part; without it something is missing.
      const event: ModelEvent | undefined = done ? { type: 'finish', reason: 'length' } : parts.read(value)
      if (event === undefined) continue
      yield [wire.read(event)]
      if (event.type === 'finish') return
    }
  } finally {
    release()
    cancel()
  }
}

function checkModel(model: Partial<AnyLanguageModel> | undefined, where: string): void {
  const { specificationVersion: version = typeof model, doStream } = model ?? {}
  if (typeof doStream === 'function' && (version === 'v3' || version === 'v4')) return
  throw new ToolRegistrationError(
    `${where}: expected a model of a package for AI SDK 6 or 7 (specificationVersion v3 or v4), got ${version}.`,
  )
}

/** Anthropic refuses a history with calls when no tools are defined. */
function offeredIn({ tools, closedTools }: ModelRequest): ModelRequest['tools'] {
  return tools.length > 0 ? tools : (closedTools ?? tools)
}

function toolsOf(
  { tools: open }: ModelRequest,
  { tools }: ToolWire,
  strict: boolean,
): Pick<LanguageModelCall, 'tools' | 'toolChoice'> {
  if (tools.length === 0) return {}
  const written = tools.map(({ name, description, schema: inputSchema, isStrict }) => ({
    ...{ type: 'function', name, description, inputSchema },
    ...(strict && { strict: isStrict }),
  }))
  return { tools: written, toolChoice: { type: open.length > 0 ? 'auto' : 'none' } }
}
