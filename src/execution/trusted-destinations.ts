import type { JsonValue } from '../tool/json-value.ts'
import type { Destination } from '../tool/policy-reason.ts'
import { readableHost } from '../tool/punycode.ts'
import type { ToolLabels } from '../tool/tool-definition.ts'
import { destinationsIn, destinationsInText } from './destinations.ts'

/**
 * What somebody trusted has said. Of the result of a tool that is everything but what stood in its call: that was said
 * by the model, and a tool only repeats it.
 */
export type TrustedText = string | { readonly text: string; readonly input?: unknown }

/**
 * Those of the destinations that nobody trusted has named.
 *
 * @param allowed - The app's list: a host, `*.` and a host for all below it, an e-mail address, or `@` and a host for
 * all addresses there.
 * @param trustedTexts - What the person, the app and trusted tools have said.
 */
export function unknownAmong(
  destinations: readonly Destination[],
  allowed: readonly string[],
  trustedTexts: () => Iterable<TrustedText>,
): readonly Destination[] {
  const isAllowed = (one: Destination) => allowed.some((pattern) => allows(pattern, one))
  const strange = destinations.filter((one) => !isAllowed(one))
  if (strange.length === 0) return strange
  const named = namesIn(trustedTexts(), strange)
  // The host of an e-mail address is not to be asked about beside it.
  const mailHosts = new Set(destinations.filter(({ kind }) => kind === 'email').map(({ host }) => host))
  return strange.filter(({ kind, name, host }) => {
    if (named.has(name)) return false
    return kind === 'email' || !(mailHosts.has(host) || named.has(withoutWww(host)))
  })
}

/** All that the texts name, as far as it can be one of the destinations. */
function namesIn(texts: Iterable<TrustedText>, wanted: readonly Destination[]): ReadonlySet<string> {
  const hosts = new Set(wanted.flatMap(({ host }) => [withoutWww(host), readableHost(withoutWww(host))]))
  const named = new Set<string>()
  for (const said of texts) {
    const text = typeof said === 'string' ? said : said.text
    const lower = text.toLowerCase()
    // A conversation is long, and most of it has none of them. What is not found here is asked about.
    if (!encoded.test(text) && ![...hosts].some((host) => lower.includes(host))) continue
    for (const name of namesOf(said)) named.add(name)
  }
  return named
}

/** Where a name may stand that is not to be seen. */
const encoded = /%[0-9a-f]{2}|&#|\\u|[A-Za-z0-9+/_-]{24}/i
const known = new WeakMap<object, ReadonlySet<string>>()

function namesOf(said: TrustedText): ReadonlySet<string> {
  if (typeof said === 'string') return allNames(destinationsInText(said))
  const before = known.get(said)
  if (before !== undefined) return before
  const repeated = allNames(destinationsIn({ input: said.input as JsonValue }))
  const own = [...allNames(destinationsInText(said.text))].filter((name) => !repeated.has(name))
  const names = new Set(own)
  known.set(said, names)
  return names
}

function allNames(destinations: readonly Destination[]): Set<string> {
  return new Set(
    destinations.flatMap(({ name, kind, host }) => (kind === 'host' ? [name, withoutWww(host)] : [name])),
  )
}

/** Hosts that the tool itself says a call goes to; those that it says for every input are the app's own. */
export function egressHosts(labels: ToolLabels): readonly Destination[] {
  return Array.isArray(labels.egress) ? labels.egress.flatMap((host: string) => destinationsInText(host)) : []
}

function allows(pattern: string, { kind, name, host }: Destination): boolean {
  const wanted = pattern.toLowerCase()
  if (wanted.startsWith('@')) return kind === 'email' && host === wanted.slice(1)
  if (wanted.includes('@'))
    return kind === 'email' ? name === wanted : host === wanted.slice(wanted.indexOf('@') + 1)
  if (wanted.startsWith('*.')) return kind === 'host' && host.endsWith(wanted.slice(1))
  return kind === 'host' && withoutWww(host) === withoutWww(wanted)
}

function withoutWww(host: string): string {
  return host.startsWith('www.') ? host.slice('www.'.length) : host
}
