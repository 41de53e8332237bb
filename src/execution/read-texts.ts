import { isRecord } from '../tool/value-kinds.ts'

/** How often a text is decoded: an escape inside an escape is found, and a text made of them ends. */
const maxRounds = 4
/** Shorter runs of base64 hold no host. */
const base64Run = /[A-Za-z0-9+/_-]{12,}={0,2}/g

/** All texts in a value: strings, and the keys of objects. */
export function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item)
  else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) {
      yield key
      yield* textsIn(item)
    }
  }
}

/**
 * A text and what it may be read as by whoever gets it: with full-width letters and other dots made plain, without
 * characters that cannot be seen, and with percent, HTML, JSON and base64 encoding undone, up to four of them inside
 * each other.
 */
export function readingsOf(text: string): ReadonlySet<string> {
  const readings = new Set([text])
  let last: readonly string[] = [text]
  for (let round = 0; round < maxRounds && last.length > 0; round += 1) {
    const next = last.flatMap(decodings).filter((reading) => !readings.has(reading))
    for (const reading of next) readings.add(reading)
    last = [...new Set(next)]
  }
  return readings
}

function decodings(text: string): readonly string[] {
  return [plain(text), unbroken(text), unescaped(text), ...base64In(text)].filter(
    (reading) => reading !== text,
  )
}

/** UTS #46 takes these for dots, and what cannot be seen for nothing. In Chinese one of them ends a sentence. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
    .replace(/。(?=[a-z0-9-])/gi, '.')
}

/** URLs may begin with what is not seen (https://url.spec.whatwg.org/#concept-basic-url-parser). */
const isAddress = /^[\0-\x20]*(?:(?:https?|wss?|ftp):|(?:[a-z][a-z0-9+.-]{0,30}:)?[\\/]{2})/i

/** As URLs are read: without tabs and line breaks (https://url.spec.whatwg.org/#concept-basic-url-parser). */
function unbroken(text: string): string {
  const joined = text.replace(/[\t\r\n]/g, '')
  // Between words a line break is the end of an address, unless the text as a whole is one.
  return isAddress.test(joined) || !text.trim().includes(' ') ? joined : text
}

const entities: Readonly<Record<string, string>> = {
  ...{
    period: '.',
    commat: '@',
    colon: ':',
    sol: '/',
    bsol: '\\',
    amp: '&',
    quot: '"',
    hyphen: '-',
    dash: '-',
  },
}

function unescaped(text: string): string {
  return (
    text
      .replace(/(?:%[0-9a-f]{2})+/gi, fromPercent)
      .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));?/gi, (whole, decimal, hex, name) =>
        name === undefined
          ? character(Number.parseInt(decimal ?? hex, decimal === undefined ? 16 : 10), whole)
          : (entities[String(name).toLowerCase()] ?? whole),
      )
      .replace(/\\u\{?([0-9a-f]{4,6})\}?|\\x([0-9a-f]{2})/gi, (whole, long, short) =>
        character(Number.parseInt(long ?? short, 16), whole),
      )
      .replaceAll('\\/', '/')
      // Else the letter stands before the word behind it.
      .replace(/\\[nrt]/g, '\n')
  )
}

function fromPercent(bytes: string): string {
  try {
    return decodeURIComponent(bytes)
  } catch {
    return bytes.replace(/%([0-9a-f]{2})/gi, (_whole, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
}

function character(code: number, otherwise: string): string {
  return code > 0x10ffff ? otherwise : String.fromCodePoint(code)
}

function base64In(text: string): readonly string[] {
  return [...text.matchAll(base64Run)].flatMap(([run]) => {
    try {
      const bytes = atob(run.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, ''))
      const read = new TextDecoder('utf-8', { fatal: true }).decode(
        Uint8Array.from(bytes, (one) => one.charCodeAt(0)),
      )
      // What is no text at all is chance.
      return /^[^\p{Cc}]*$/u.test(read.replace(/[\t\r\n]/g, '')) ? [read] : []
    } catch {
      return []
    }
  })
}
