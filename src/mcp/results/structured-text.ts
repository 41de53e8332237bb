import type { ResultTexts } from './result-texts.ts'

/** Longer texts without a space that could be base64 are not shown. In characters. */
const maxCodeChars = 1_000

/** Structured data as JSON text, for a result that says nothing in words. Bytes in it are only counted. */
export function structuredText(data: unknown, texts: ResultTexts): string {
  try {
    return JSON.stringify(data, (_key, member: unknown) => withoutBytes(member, texts)) ?? ''
  } catch {
    // Nested too deeply, or too long for one text.
    return texts.unshownData
  }
}

function withoutBytes(member: unknown, texts: ResultTexts): unknown {
  if (typeof member !== 'string' || member.length <= maxCodeChars) return member
  const code = member.replace(/^data:[^,]{0,200};base64,/i, '')
  return /^[\w+/=\r\n-]+$/.test(code) ? texts.bytesInData(member.length) : member
}
