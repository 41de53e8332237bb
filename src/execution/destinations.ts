import type { JsonObject } from '../tool/json-value.ts'
import type { Destination } from '../tool/policy-reason.ts'
import { isRecord } from '../tool/value-kinds.ts'
import { readingsOf, textsIn } from './read-texts.ts'

/** Where an address may begin: behind a scheme, or two slashes. */
const beginning = /([a-z][a-z0-9+.-]{0,30}):|(?<![:\\/])[\\/]{2}(?![\\/])/gi
/** Up to the path. A longer one is cut: names with dots are found in it all the same. */
const authority = /^[\\/]{0,3}([^\s<>"'`{}|^\\/?#]{1,4096})/
/** Schemes in which browsers need no slashes, and take a backslash for one (https://url.spec.whatwg.org/#special-scheme). */
const specialScheme = /^(?:https?|wss?|ftp)$/i
const localPart = /(?:"[^"]{1,64}"|[^\s<>()[\]"'`,;:\\/@=?&]{1,200})$/u
const mailHost = /^(?:\[[^\]\s]{2,60}\]|[\p{L}\p{N}\p{M}_-]{1,250}(?:\.[\p{L}\p{N}\p{M}_-]{1,250})+)/u
const dotted = /(?<![\p{L}\p{N}\p{M}_-])[\p{L}\p{N}\p{M}_-]+(?:\.[\p{L}\p{N}\p{M}_-]+)+/gu
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
const placeKey = /^(?:host(?:name)?|domain|server|endpoint|ur[il]|href|link|site|origin|proxy|webhook)$/i

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
  if (!/[.@:%&\\。．｡․]|[A-Za-z0-9+/_-]{12}|[/\\]{2}/.test(text)) return []
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
    const [local] = localPart.exec(text.slice(Math.max(0, index - 200), index)) ?? []
    const [at] = mailHost.exec(text.slice(index + 1, index + longestName)) ?? []
    if (local === undefined || at === undefined) continue
    const host = hostOf(at)?.host ?? at.toLowerCase()
    yield { kind: 'email', name: `${local.toLowerCase()}@${host}`, host }
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
    const isHost = /^(?:[\p{L}\p{M}]{2,63}|xn--[a-z0-9-]+)$/u.test(last) || /^\d+(?:\.\d+){3}$/.test(name)
    const one = isHost ? hostOf(name) : undefined
    if (one !== undefined) yield one
  }
}

function* placesIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* placesIn(item)
  if (!isRecord(value)) return
  for (const [key, item] of Object.entries(value)) {
    const isPlace = placeKey.test(key)
    for (const place of Array.isArray(item) ? item : [item]) {
      if (isPlace && typeof place === 'string' && /^[^\s/\\:@]+$/.test(place)) yield place
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
