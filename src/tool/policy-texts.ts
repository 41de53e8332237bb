import type { Destination } from './policy-reason.ts'
import { readableHost } from './punycode.ts'
import type { TaintSource } from './taint-source.ts'

/** Why the policy has a person asked, or refuses a call. Replace any of them with `policy` of the agent's `texts`. */
export interface PolicyTexts {
  /** A call that changes something, in a run that has read text from outside. */
  untrustedEffect(sources: readonly TaintSource[]): string
  /** A call that sends its input away, in a run that has also read private data. */
  privateEgress(sources: readonly TaintSource[], secrets: readonly TaintSource[]): string
  /** A tool that was not there before the run had read text from outside. */
  revealed(sources: readonly TaintSource[]): string
  /** Hosts and addresses that only text from outside, or the model, has named. */
  unknownDestinations(destinations: readonly Destination[], sources: readonly TaintSource[]): string
  /** A rule of the app threw. */
  ruleFailed(rule: string, message: string): string
}

/** More sources than this are only counted. */
const maxNamed = 3

/** A few sources in words, and how many more there are. */
export function namedSources(
  sources: readonly TaintSource[],
  name: (source: TaintSource) => string,
  more: (count: number) => string,
  separator: string,
): string {
  const named = sources.slice(0, maxNamed).map(name)
  if (sources.length > maxNamed) named.push(more(sources.length - maxNamed))
  return named.join(separator)
}

/** Whether a source is a page with an address. */
export function isPage({ about }: TaintSource): boolean {
  return about !== undefined && /^https?:\/\//i.test(about)
}

/** A destination in full, and how it reads where that is something else. */
export function shownDestination({ name, host }: Destination, readsAs: (readable: string) => string): string {
  const readable = readableHost(host)
  return readable === host ? name : `${name} (${readsAs(readable)})`
}

const sourceEn = (source: TaintSource): string => {
  const { kind, toolName, origin, about } = source
  if (kind === 'description') return `the descriptions of tools of ${origin}, which nobody has accepted`
  if (kind === 'history') return `a result of the tool ${toolName}, earlier in this conversation`
  if (isPage(source)) return `the page ${about} (tool ${toolName})`
  return about === undefined
    ? `a result of the tool ${toolName}`
    : `a result of the tool ${toolName} for "${about}"`
}

const fromEn = (sources: readonly TaintSource[]) =>
  namedSources(sources, sourceEn, (count) => `${count} more`, '; ')

/** The English texts, which are the default. */
export const policyTextsEn: PolicyTexts = {
  untrustedEffect: (sources) =>
    `The agent has read text that is not to be trusted: ${fromEn(sources)}. This call may be what that text wants, and not what you want.`,
  privateEgress: (sources, secrets) =>
    `This call sends its input away. The agent has read private data (${fromEn(secrets)}) and text that is not to be trusted (${fromEn(sources)}): look whether something private is in the input.`,
  revealed: (sources) =>
    `This tool was not offered before the agent had read text that is not to be trusted: ${fromEn(sources)}.`,
  unknownDestinations: (destinations, sources) =>
    `Neither you nor this app has named ${destinations.map((one) => shownDestination(one, (readable) => `reads as ${readable}`)).join(', ')}. It may come from ${fromEn(sources)}.`,
  ruleFailed: (rule, message) => `the rule "${rule}" failed: ${message}`,
}
