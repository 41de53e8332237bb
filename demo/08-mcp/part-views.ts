import type { ToolResponse } from 'offstage'
import { element } from '../shared/element.ts'
import { countText } from '../shared/time-text.ts'

type Part = NonNullable<ToolResponse['parts']>[number]

/** The pictures and files of a response. */
export function partViews(parts: readonly Part[]): Promise<HTMLElement[]> {
  return Promise.all(parts.map(partView))
}

async function partView(part: Part): Promise<HTMLElement> {
  const { mediaType, name, size } = part
  const facts = [name, mediaType, size === undefined ? undefined : `${countText(size)} bytes`]
  const caption = element('figcaption', {}, facts.filter((fact) => fact !== undefined).join(' · '))
  const picture = await drawing(part)
  return element('figure', { class: 'code' }, caption, ...(picture === undefined ? [] : [picture]))
}

/** A canvas and no image element: the page's policy needs to allow no address of images for it. */
async function drawing({ type, mediaType, data }: Part): Promise<HTMLCanvasElement | undefined> {
  if (type !== 'image' || typeof data === 'string') return undefined
  try {
    const bytes = data instanceof Blob ? data : new Blob([data as BlobPart], { type: mediaType })
    const bitmap = await createImageBitmap(bytes)
    const canvas = element('canvas', {
      class: 'mcp-picture',
      role: 'img',
      'aria-label': 'Picture of the server',
    })
    canvas.width = bitmap.width
    canvas.height = bitmap.height
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
    return canvas
  } catch {
    // What no browser can read is still named.
    return undefined
  }
}
