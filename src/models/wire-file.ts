import type { AssistantPart, FilePart } from '../agent/message.ts'

/** Whether a part of a message is an image or a file. */
export function isFilePart(part: AssistantPart): part is FilePart {
  return part.type === 'image' || part.type === 'file'
}

/** Whether a model with these capabilities takes a part as it is. */
export function takes({ type }: FilePart, capabilities: readonly string[]): boolean {
  return capabilities.includes(type === 'image' ? 'images' : 'files')
}

/** A part as a chat completion takes it. */
export function wireFile(part: FilePart): Record<string, unknown> {
  const { type, mediaType, data, name = 'file' } = part
  const url = hasAddress(part) ? data : `data:${mediaType};base64,${data}`
  return type === 'image'
    ? { type: 'image_url', image_url: { url } }
    : { type: 'file', file: { filename: name, file_data: url } }
}

/** What stands for a part where a model cannot take it: `[image: chart.png, image/png, 12 kB]`. */
export function fileLine(part: FilePart): string {
  // A name may come from anywhere; it must not end the line or the brackets.
  const name = part.name?.replace(/[\p{C}\s[\]]+/gu, ' ')
  return `[${part.type}: ${[name, part.mediaType, sizeOf(part)].filter(Boolean).join(', ')}]`
}

function sizeOf(part: FilePart): string | undefined {
  const { data } = part
  if (hasAddress(part) && !data.startsWith('data:')) return undefined
  const bytes = Math.floor(((data.length - data.indexOf(',') - 1) * 3) / 4)
  return bytes < 1000 ? `${bytes} B` : `${Math.round(bytes / 1000)} kB`
}

function hasAddress({ data }: FilePart): boolean {
  return /^[a-z]+:/.test(data)
}
