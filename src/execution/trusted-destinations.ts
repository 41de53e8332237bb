import type { Destination } from '../tool/policy-reason.ts'
import type { ToolLabels } from '../tool/tool-definition.ts'
import { destinationsInText } from './destinations.ts'

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
  trustedTexts: () => Iterable<string>,
): readonly Destination[] {
  const isAllowed = (one: Destination) => allowed.some((pattern) => allows(pattern, one))
  const strange = destinations.filter((one) => !isAllowed(one))
  if (strange.length === 0) return strange
  const named = new Set<string>()
  for (const text of trustedTexts()) {
    for (const { name, kind, host } of destinationsInText(text)) {
      named.add(name)
      if (kind === 'host') named.add(withoutWww(host))
    }
  }
  // The host of an e-mail address is not to be asked about beside it.
  const mailHosts = new Set(destinations.filter(({ kind }) => kind === 'email').map(({ host }) => host))
  return strange.filter(({ kind, name, host }) => {
    if (named.has(name)) return false
    return kind === 'email' || !(mailHosts.has(host) || named.has(withoutWww(host)))
  })
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
