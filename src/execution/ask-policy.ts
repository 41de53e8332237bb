import { errorToData, shorten } from '../tool/error-data.ts'
import type { JsonObject } from '../tool/json-value.ts'
import { once } from '../tool/once.ts'
import type { PolicyReason } from '../tool/policy-reason.ts'
import { type PolicyTexts, policyTextsEn } from '../tool/policy-texts.ts'
import { isRecord } from '../tool/value-kinds.ts'
import { defaultPolicy, strictPolicy } from './default-policy.ts'
import { destinationsIn } from './destinations.ts'
import type { ExecutionScope } from './execution-scope.ts'
import type { PolicyAnswer, PolicyQuestion, PolicyRule } from './policy-rule.ts'
import type { LookedAt } from './preflight.ts'
import type { FoundCall } from './prepare-call.ts'
import { noTaint } from './taint.ts'
import { egressHosts, unknownAmong } from './trusted-destinations.ts'

/** What the rules have against a call. */
export interface PolicyVerdict {
  readonly kind: 'confirm' | 'deny'
  /** Of the rules that did not allow it, in their order. */
  readonly reasons: readonly PolicyReason[]
  /** What each of them said. */
  readonly kinds: readonly PolicyVerdict['kind'][]
}

/** The rules that an option stands for. */
export function rulesOf(policy: ExecutionScope['policy'] = 'confirm'): readonly PolicyRule[] {
  if (policy === 'off') return []
  if (policy === 'confirm') return defaultPolicy
  return policy === 'strict' ? strictPolicy : policy
}

const always = once((rules: readonly PolicyRule[]) => rules.filter(({ onlyTainted }) => onlyTainted !== true))

/** What the rules have against a call; undefined when all of them allow it. */
export function askPolicy(
  call: FoundCall,
  looked: Pick<LookedAt, 'input' | 'labels'>,
  scope: ExecutionScope,
): PolicyVerdict | undefined {
  const { taint, policy } = scope
  const isTainted = taint?.isTainted === true
  // Most runs have read nothing untrusted, and most apps have no rules of their own.
  if (!isTainted && !Array.isArray(policy)) return undefined
  const rules = isTainted ? rulesOf(policy) : always(rulesOf(policy))
  if (rules.length === 0) return undefined
  const question = questionAbout(call, looked, scope)
  const answers = rules.flatMap((rule) => answerOf(rule, question))
  if (answers.length === 0) return undefined
  const kind = answers.some((answer) => answer.kind === 'deny') ? 'deny' : 'confirm'
  const kinds = answers.map((answer) => answer.kind)
  return { kind, reasons: answers.map(({ kind: _kind, ...reason }) => reason), kinds }
}

/** More sources than this are not told with a question: it may have to be stored. */
const maxSources = 10
const maxDestinations = 50
const maxReasonChars = 2_000

type Objection = PolicyReason & { readonly kind: 'confirm' | 'deny' }

/**
 * What one rule has against a call: the strictest of what it says now and of what it would say if less had been read,
 * so that reading more never allows more.
 */
function answerOf(rule: PolicyRule, question: PolicyQuestion): readonly Objection[] {
  const answers: Objection[] = []
  for (const one of withLess(question)) {
    if (rule.onlyTainted === true && one.taint.untrusted.length === 0) continue
    const answer = ask(rule, one)
    if (answer?.kind === 'deny') return [answer]
    if (answer !== undefined) answers.push(answer)
  }
  return answers.slice(0, 1)
}

/** A question, and then the same one as if nothing untrusted, or nothing private, or neither had been read. */
function* withLess(question: PolicyQuestion): Generator<PolicyQuestion> {
  const { taint, isRevealed } = question
  if (taint.untrusted.length === 0) {
    yield question
    if (taint.private.length > 0) yield { ...question, taint: noTaint }
    return
  }
  for (const secrets of orNone(taint.private)) {
    for (const unknownDestinations of orNone(question.unknownDestinations)) {
      for (const revealed of isRevealed ? [true, false] : [false]) {
        const read = { untrusted: taint.untrusted, private: secrets }
        yield { ...question, taint: read, isRevealed: revealed, unknownDestinations }
      }
    }
    const read = { untrusted: [], private: secrets }
    yield { ...question, taint: read, isRevealed: false, unknownDestinations: [] }
  }
}

function orNone<T>(list: readonly T[]): readonly (readonly T[])[] {
  return list.length === 0 ? [list] : [list, []]
}

function ask(rule: PolicyRule, question: PolicyQuestion): Objection | undefined {
  try {
    return readAnswer(rule.name, rule.judge(question))
  } catch (error) {
    return {
      kind: 'deny',
      rule: rule.name,
      reason: question.texts.ruleFailed(rule.name, errorToData(error).message),
    }
  }
}

/** @throws Error for what is no answer: a rule that was meant to protect must not fail to do so in silence. */
function readAnswer(rule: string, answer: PolicyAnswer | undefined): Objection | undefined {
  if (answer === undefined) return undefined
  if (!isRecord(answer) || !['allow', 'confirm', 'deny'].includes(answer.kind)) {
    throw new Error('a rule answers at once, with { kind: "allow" | "confirm" | "deny", reason } or nothing')
  }
  if (answer.kind === 'allow') return undefined
  const { kind, reason, sources, secrets, destinations } = answer
  return {
    ...{ kind, rule, reason: shorten(String(reason), maxReasonChars) },
    ...(sources === undefined ? {} : { sources: sources.slice(0, maxSources) }),
    ...(secrets === undefined ? {} : { secrets: secrets.slice(0, maxSources) }),
    ...(destinations === undefined ? {} : { destinations: destinations.slice(0, maxDestinations) }),
  }
}

function questionAbout(
  { id, name, origin, listed }: FoundCall,
  { input, labels }: Pick<LookedAt, 'input' | 'labels'>,
  scope: ExecutionScope,
): PolicyQuestion {
  const { taint } = scope
  let unknown: PolicyQuestion['unknownDestinations'] | undefined
  return {
    call: { id, name, input },
    definition: listed.definition,
    ...{ labels, origin },
    taint: taint?.view ?? noTaint,
    isRevealed: taint?.isRevealed(listed) ?? false,
    get unknownDestinations() {
      unknown ??= taint?.isTainted
        ? unknownDestinations(listed.definition.labels.egress, labels, input, scope)
        : []
      return unknown
    },
    texts: policyTexts(scope.texts.policy),
  }
}

const policyTexts = once((texts: Partial<PolicyTexts>): PolicyTexts => ({ ...policyTextsEn, ...texts }))

function unknownDestinations(
  declared: unknown,
  labels: LookedAt['labels'],
  input: JsonObject,
  { trustedHosts = [], trustedTexts = () => [] }: ExecutionScope,
): PolicyQuestion['unknownDestinations'] {
  const { effect, egress } = labels
  if (egress === false && effect !== 'external' && effect !== 'destructive') return []
  // What a tool says of one input it may have read out of it.
  const byInput = declared === 'by-input'
  const own = egressHosts(labels)
  const found = new Map([...destinationsIn(input), ...(byInput ? own : [])].map((one) => [one.name, one]))
  const allowed = byInput ? trustedHosts : [...trustedHosts, ...own.map(({ name }) => name)]
  return unknownAmong([...found.values()], allowed, trustedTexts)
}
