import type { JsonObject } from '../tool/json-value.ts'
import type { Destination } from '../tool/policy-reason.ts'
import { isRecord } from '../tool/value-kinds.ts'
import { readingsOf, textsIn } from './read-texts.ts'

/** Where an address may begin: behind a scheme, or two slashes. Browsers take more of them for two. */
const beginning = /([a-z][a-z0-9+.-]{0,30}):|(?<![:\\/])[\\/]{2,}/gi
/** Up to the path. A longer one is cut: names with dots are found in it all the same. */
const authority = /^[\\/]*([^\s<>"'`{}|^\\/?#]{1,1000})/
/** Schemes in which browsers need no slashes, and take a backslash for one (https://url.spec.whatwg.org/#special-scheme). */
const specialScheme = /^(?:https?|wss?|ftp)$/i
/** Letters of a name; some domains have signs and emoji in theirs. */
const letter = String.raw`[\p{L}\p{N}\p{M}\p{So}\u200D_-]`
/** In front of the sign of an e-mail address, and behind it, mailers skip comments and blanks (RFC 5322 §3.2.2). */
const skipped = String.raw`\s{0,20}(?:\([^()]{0,60}\)\s{0,20}){0,2}`
const quoted = '"[^"]{1,64}"'
const local = String.raw`(${quoted}|[^\s<>()[\]"'${'`'},;:\\/@=?&]{1,200})`
const localParts = [
  new RegExp(String.raw`${local}(?:\([^()]{0,60}\)){0,2}$`, 'u'),
  // In prose a word and a blank before an @ are no address.
  new RegExp(String.raw`(?:^|[,;:<"'\n])\s{0,20}${local}${skipped}$`, 'u'),
  // Signs that stand round an address more often than in it.
  /(?:^|[\s,;<>()])([\p{L}\p{N}][^\s<>()[\]",;:\\@=?&]{0,200})$/u,
]
const mailHost = new RegExp(
  String.raw`^${skipped}(\[[^\]\s]{2,60}\]|${letter}{1,250}(?:[.。]${letter}{1,250})+)`,
  'u',
)
const dotted = new RegExp(String.raw`(?<!${letter})${letter}+(?:\.${letter}+)+`, 'gu')
/** No name of a host is longer, however its letters are written. */
const longestName = 1_000

/** Ends of names that are no top-level domains, and stand behind what is a file or a piece of code. */
const fileEnds = new Set(
  (
    'js ts jsx tsx mjs cjs json txt html htm css scss png jpg jpeg gif svg webp pdf csv tsv xml yaml yml toml lock log ' +
    'doc docx xls xlsx ppt pptx odt mp3 mp4 wav exe dll bat ini cfg conf bak tmp wasm java cpp hpp php rb sql ipynb'
  ).split(' '),
)

/** Fields whose value is a place even where it has no dot. */
const placeKey =
  /(?:^|[_-])(?:host|host_?name|domain|server|endpoint|ur[il]|href|link|site|origin|proxy|webhook|ip)$/

/**
 * Every host and e-mail address in an input, however deep: in addresses with or without a scheme, with a user's name
 * before the host, in punycode, full-width letters or other dots, as an IP number in any notation that a browser takes
 * in an address, and in percent, HTML, JSON or base64 encoding. What is spelled backwards, split over two fields, put
 * in words ("evil dot com") or enciphered is not found: then the other rules have to hold.
 */
export function destinationsIn(input: JsonObject): readonly Destination[] {
  const found = new Map<string, Destination>()
  for (const text of textsIn(input)) for (const one of destinationsInText(text)) found.set(one.name, one)
  for (const value of placesIn(input)) {
    const one = hostOf(value)
    if (one !== undefined) found.set(one.name, one)
  }
  return [...found.values()]
}

/** The same for one text. */
export function destinationsInText(text: string): readonly Destination[] {
  // Nothing to be found; most texts are such.
  if (!/[.@:%&\\]|[^\0-\x7F]|[A-Za-z0-9+/_-]{12}|[/\\]{2}/.test(text)) return []
  const found = new Map<string, Destination>()
  for (const reading of readingsOf(text)) {
    for (const one of [...addresses(reading), ...mailboxes(reading), ...bareHosts(reading)]) {
      found.set(one.name, one)
    }
  }
  return [...found.values()]
}

function* addresses(text: string): Generator<Destination> {
  for (const { 0: found, 1: scheme, index } of text.matchAll(beginning)) {
    const rest = text.slice(index + (scheme === undefined ? 0 : found.length))
    const isAddress = /^\/\//.test(rest) || (scheme === undefined ? true : specialScheme.test(scheme))
    const name = isAddress ? authority.exec(rest)?.[1] : undefined
    const one = name === undefined ? undefined : hostOf(name)
    if (one !== undefined) yield one
  }
}

function* mailboxes(text: string): Generator<Destination> {
  for (let index = text.indexOf('@'); index >= 0; index = text.indexOf('@', index + 1)) {
    const at = mailHost.exec(text.slice(index + 1, index + longestName))?.[1]
    if (at === undefined) continue
    const host = hostOf(at)?.host ?? at.toLowerCase()
    const before = text.slice(Math.max(0, index - 200), index)
    const locals = localParts.flatMap((part) => part.exec(before)?.[1] ?? [])
    // What cannot be read is nobody's address, and not the host's alone.
    for (const name of locals.length === 0 ? [''] : new Set(locals)) {
      // It is shown to a person.
      const seen = name.toLowerCase().replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
      yield { kind: 'email', name: `${seen}@${host}`, host }
    }
  }
}

function* bareHosts(text: string): Generator<Destination> {
  for (const { 0: found, index } of text.matchAll(dotted)) {
    // A part of a path, and what stands before the host of an e-mail address.
    if (found.length > longestName || /[\\/]/.test(text[index - 1] ?? '')) continue
    if (text[index + found.length] === '@') continue
    const name = text[index - 1] === '%' ? found.replace(/^(?:25)*[0-9a-f]{2}/i, '') : found
    const last = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
    if (fileEnds.has(last) && name !== text.trim()) continue
    const isHost =
      /^(?:[\p{L}\p{M}\p{So}]{2,63}|xn--[a-z0-9-]+)$/u.test(last) || /^\d+(?:\.\d+){3}$/.test(name)
    const one = isHost ? hostOf(name) : undefined
    if (one !== undefined) yield one
  }
}

function* placesIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* placesIn(item)
  if (!isRecord(value)) return
  for (const [key, item] of Object.entries(value)) {
    const isPlace = placeKey.test(key.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase())
    for (const place of isPlace ? [item].flat() : []) {
      if (typeof place === 'number') yield String(place)
      // With a port, or a number with colons, which stands in brackets in an address (RFC 3986 §3.2.2).
      if (typeof place !== 'string' || !/^[^\s/\\@]+$/.test(place)) continue
      yield /^[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(place) ? `[${place}]` : place
    }
    yield* placesIn(item)
  }
}

/** The host of what stands before the path of an address, as a browser reads it. */
function hostOf(name: string): Destination | undefined {
  const url = `http://${name}`
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/\.+$/, '') : ''
  return host === '' ? undefined : { kind: 'host', name: host, host }
}
