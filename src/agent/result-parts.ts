import { cleanContent } from '../execution/clean-content.ts'
import { isFenced } from '../execution/external-content.ts'
import { withLine } from '../execution/fence.ts'
import { stopped, untilAborted } from '../tool/abort.ts'
import { base64 } from '../tool/base64.ts'
import { defined } from '../tool/defined.ts'
import { shorten } from '../tool/error-data.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import type { ResponsePart, ToolResponse } from '../tool/tool-response.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import type { FilePart, MessageResult } from './message.ts'

/** What the model sees of a response. */
type Seen = Pick<MessageResult, 'text' | 'parts'>

/** A longer name from outside is cut. In characters. */
const maxNameChars = 200

const seen = new WeakMap<ToolResponse, Seen>()

/**
 * Reads the images and files of results, so that {@link seenOf} has them. One that cannot be read, or not before the
 * signal aborts, becomes a line of the text.
 */
export async function readParts(
  results: readonly ToolResult[],
  texts: ModelTexts,
  signal: AbortSignal,
): Promise<void> {
  for (const { response } of results) {
    // Made by any code: a worker, a server.
    if (!Array.isArray(response.parts) || seen.has(response)) continue
    const parts: FilePart[] = []
    let { text } = response
    // A name is content too: of a result that is not to be trusted it stands in the fence, with the text.
    const isOutside = isFenced(response)
    for (const part of response.parts as readonly ResponsePart[]) {
      if (part?.appOnly) continue
      const read = await readPart(part, signal).catch(() => undefined)
      const name = isOutside ? outsideName(part) : part?.name
      if (read === undefined) text = withLine(text, texts.lostPart(String(name ?? part?.type)))
      else if (!isOutside) parts.push(read)
      else {
        const { name: _named, ...nameless } = read
        parts.push(nameless)
        if (name !== undefined) text = withLine(text, `[${read.type}: ${name}]`)
      }
    }
    seen.set(response, { text, parts })
  }
}

/** What the model sees of a response whose parts were read; until then, its text. */
export function seenOf(response: ToolResponse): Seen {
  const { text, parts } = (response.parts && seen.get(response)) ?? response
  return parts?.length ? { text, parts: parts as readonly FilePart[] } : { text }
}

function outsideName({ name }: ResponsePart): string | undefined {
  if (typeof name !== 'string') return undefined
  return cleanContent(shorten(name, maxNameChars)).text.replace(/\s+/g, ' ')
}

async function readPart(
  { type, mediaType, data, name }: ResponsePart,
  signal: AbortSignal,
): Promise<FilePart | undefined> {
  const bytes = data instanceof Blob ? await untilAborted(data.arrayBuffer(), signal) : data
  if (bytes === stopped || typeof mediaType !== 'string' || !bytes) return undefined
  return defined({ type, mediaType, data: typeof bytes === 'string' ? bytes : base64(bytes), name })
}
