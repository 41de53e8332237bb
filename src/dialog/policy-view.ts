import { checkOptions } from '../tool/check-options.ts'
import type { Destination, PolicyReason } from '../tool/policy-reason.ts'
import { isPage } from '../tool/policy-texts.ts'
import { readableHost } from '../tool/punycode.ts'
import type { TaintSource } from '../tool/taint-source.ts'
import type { DialogTexts } from './dialog-texts.ts'
import { foldableList, foldedList, literalText } from './literal-view.ts'
import { makeElement } from './make-element.ts'
import { type PolicyViewTexts, policyViewTextsEn } from './policy-view-texts.ts'
import { readPolicy } from './read-policy.ts'

/** More sources or destinations than this are folded away. */
const maxShown = 4

/** The words of the rules in short, where they have such. */
export interface PolicyWords {
  /** Of each rule: what it says in short, or else its reason. */
  readonly sentences: readonly string[]
  /** The rules' own reasons, where a short one stands for one of them. */
  readonly inFull: readonly string[]
}

/**
 * Reads what the rules say. Only where their sources are listed anyway does a short sentence stand for a reason.
 *
 * @throws ToolRegistrationError when the app has replaced a text of it that there is not.
 */
export function policyWords(policy: readonly PolicyReason[], texts: DialogTexts): PolicyWords {
  const { inShort } = ownTexts(texts)
  const both = policy.map(({ rule, reason, sources = [], secrets = [], destinations = [] }) => {
    const isListed = sources.length + secrets.length + destinations.length > 0
    return { reason, short: isListed ? inShort(rule) : undefined }
  })
  return {
    sentences: both.map(({ reason, short }) => short ?? reason).filter((sentence) => sentence !== ''),
    inFull: both.some(({ short }) => short !== undefined) ? both.map(({ reason }) => reason) : [],
  }
}

/**
 * Shows what is behind the reasons of the policy: where the call would go, and what the agent has read. Addresses and
 * names are those of strangers: they are shown letter for letter, and made into nothing.
 */
export function policyView(policy: readonly PolicyReason[], texts: DialogTexts): readonly HTMLElement[] {
  const own = ownTexts(texts)
  const { destinations, untrusted, secrets } = readPolicy(policy)
  const { inFull } = policyWords(policy, texts)
  const source = (one: TaintSource) => sourceView(one, own, texts)
  return [
    ...factList(own.destinations, destinations, (one) => destinationView(one, own, texts), texts),
    ...factList(own.untrusted, untrusted, source, texts),
    ...factList(own.secrets, secrets, source, texts),
    ...(inFull.length === 0 ? [] : [foldedList(own.inFull, inFull, texts)]),
  ]
}

function ownTexts(texts: DialogTexts): PolicyViewTexts {
  checkOptions(texts.policy, Object.keys(policyViewTextsEn), 'confirmDialog(), texts.policy')
  return { ...policyViewTextsEn, ...texts.policy }
}

function factList<Item>(
  heading: string,
  items: readonly Item[],
  view: (item: Item) => HTMLElement,
  texts: DialogTexts,
): readonly HTMLElement[] {
  if (items.length === 0) return []
  return [
    makeElement('h4', { part: 'fact-heading' }, heading),
    ...foldableList(items, maxShown, texts, (some) =>
      makeElement('ul', { class: 'facts', part: 'facts' }, ...some.map(view)),
    ),
  ]
}

function destinationView({ name, host }: Destination, own: PolicyViewTexts, texts: DialogTexts): HTMLElement {
  const before = name.slice(0, name.length - host.length)
  const parts = [code(name, texts), ...likeness(before, host, own, texts)]
  return makeElement('li', { class: 'destination', part: 'destination' }, ...parts)
}

/** How a host reads, behind what stands before it, where a browser writes it in other letters. */
function likeness(
  before: string,
  host: string,
  own: PolicyViewTexts,
  texts: DialogTexts,
): readonly HTMLElement[] {
  const readable = readableHost(host)
  return readable === host ? [] : [about(own.looksLike, before + readable, texts)]
}

function sourceView(source: TaintSource, own: PolicyViewTexts, texts: DialogTexts): HTMLElement {
  const { kind, toolName, about: subject, origin = '' } = source
  const attributes = { class: 'source', part: 'source' }
  if (kind === 'description') return makeElement('li', attributes, about(own.description, origin, texts))
  const words = kind === 'history' ? own.history : isPage(source) ? own.page : own.result
  const line = about(words, toolName, texts)
  if (subject === undefined) return makeElement('li', attributes, line)
  const host = isPage(source) && URL.canParse(subject) ? new URL(subject).hostname : ''
  const parts = [code(subject, texts), ...likeness('', host, own, texts), line]
  return makeElement('li', attributes, ...parts)
}

function about(words: string, literal: string, texts: DialogTexts): HTMLElement {
  return makeElement('div', { class: 'fact-about' }, `${words} `, code(literal, texts, 'span'))
}

function code(literal: string, texts: DialogTexts, tag: 'div' | 'span' = 'div'): HTMLElement {
  return makeElement(tag, { class: 'code' }, literalText(literal, texts))
}
