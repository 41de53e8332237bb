import type { FilePart } from '../agent/message.ts'
import { base64 } from '../tool/base64.ts'
import type { AnyLanguageModel, PromptPart, SupportedUrls } from './language-model-types.ts'

/** The bytes in base64, or the address of a file. */
export type FileData = string | URL

const dataUrl = /^data:[^,]*;base64,/i
const address = /^[a-z][a-z\d+.-]*:/i

/** What is sent for a file; undefined when it is an address that the provider does not fetch, or none at all. */
export function fileData({ data, mediaType }: FilePart, fetched: SupportedUrls): FileData | undefined {
  const start = dataUrl.exec(data)?.[0]
  if (start !== undefined) return data.slice(start.length)
  if (!address.test(data)) return data
  // Without a word on the type nobody says that it is not fetched.
  const known = Object.entries(fetched).filter(([type]) => mediaType.startsWith(type.replace(/\*.*/, '')))
  const isFetched = known.length === 0 || known.some(([, urls]) => urls.some((url) => data.search(url) >= 0))
  return isFetched && URL.canParse(data) ? new URL(data) : undefined
}

/** A file in a message of the prompt. */
export function filePart(
  { mediaType, name, providerMetadata }: FilePart,
  data: FileData,
  { specificationVersion }: AnyLanguageModel,
): PromptPart {
  const tagged = typeof data === 'string' ? { type: 'data', data } : { type: 'url', url: data }
  return {
    ...{ type: 'file', mediaType, filename: name, providerOptions: providerMetadata },
    data: specificationVersion === 'v3' ? data : tagged,
  }
}

/** A file in the result of a call, where version 3 has kinds of its own. */
export function resultPart(file: FilePart, data: FileData, model: AnyLanguageModel): PromptPart {
  if (model.specificationVersion === 'v4') return filePart(file, data, model)
  const { type, mediaType, name } = file
  return typeof data === 'string'
    ? { type: `${type}-data`, data, mediaType, filename: name }
    : { type: `${type}-url`, url: data.href, mediaType }
}

/** A file that a model made, as either version tells it: in version 4 as an object that says what it is. */
export function madeFile(mediaType: string, told: unknown): FilePart {
  const { data = told, url }: { readonly data?: unknown; readonly url?: unknown } = Object(told)
  const type = mediaType.startsWith('image/') ? 'image' : 'file'
  return { type, mediaType, data: String(url ?? (data instanceof Uint8Array ? base64(data) : data)) }
}
