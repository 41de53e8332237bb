import { events, openProviderServer, type ProviderReply, type ProviderServer } from './provider-server.ts'

/** A part of a content, as the API has it. */
export interface Part {
  readonly text?: string
  readonly thought?: boolean
  readonly functionCall?: { readonly name: string; readonly args: object; readonly id?: string }
  readonly inlineData?: { readonly mimeType: string; readonly data: string }
  readonly thoughtSignature?: string
}

/**
 * An answer as `streamGenerateContent` streams it: https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent,
 * one chunk for each part.
 */
export function geminiAnswer(parts: readonly Part[]): ProviderReply {
  const chunks = parts.map((part, index) => ({
    candidates: [
      {
        content: { parts: [part], role: 'model' },
        ...(index === parts.length - 1 && { finishReason: 'STOP' }),
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 20, totalTokenCount: 30 },
    modelVersion: 'gemini-3-pro-preview',
    responseId: 'response-1',
  }))
  return { body: events(chunks) }
}

/** A request, as far as it is looked at. */
export interface GeminiBody {
  readonly contents: readonly { readonly role: string; readonly parts: readonly SentPart[] }[]
  readonly toolConfig?: object
}

interface SentPart extends Part {
  readonly functionResponse?: object
}

/**
 * A server that keeps the rules of Gemini 3: a content with calls has its signature, every call is answered in the next
 * content, and a signature is one that was given
 * (https://ai.google.dev/gemini-api/docs/thought-signatures).
 */
export function openGemini(
  replies: readonly ProviderReply[],
  signatures: readonly string[],
): Promise<ProviderServer<GeminiBody>> {
  return openProviderServer(
    {
      complaint: (body) => complaint(body, signatures),
      error: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
    },
    replies,
  )
}

function complaint({ contents }: GeminiBody, signatures: readonly string[]): string | undefined {
  for (const [index, { role, parts }] of contents.entries()) {
    for (const { thoughtSignature } of parts) {
      if (thoughtSignature !== undefined && !signatures.includes(thoughtSignature))
        return 'Corrupted thought signature.'
    }
    const calls = parts.filter(({ functionCall }) => functionCall !== undefined)
    if (role !== 'model' || calls.length === 0) continue
    if (signatures.length > 0 && !parts.some(({ thoughtSignature }) => thoughtSignature !== undefined)) {
      return `Function call \`${calls[0]?.functionCall?.name}\` in the ${index + 1}. content block is missing a \`thought_signature\`.`
    }
    const next = contents[index + 1]?.parts ?? []
    if (next.filter(({ functionResponse }) => functionResponse !== undefined).length !== calls.length) {
      return 'Please ensure that the number of function response parts is equal to the number of function call parts.'
    }
  }
  return undefined
}
