import type { Destination, PolicyReason } from '../tool/policy-reason.ts'
import type { TaintSource } from '../tool/taint-source.ts'

/** What rules of the policy have against a call, each thing once. */
export interface PolicyFacts {
  readonly destinations: readonly Destination[]
  /** What was read and is not to be trusted. */
  readonly untrusted: readonly TaintSource[]
  /** Where private data was read. */
  readonly secrets: readonly TaintSource[]
  /** What was read where nothing says which of it is private. */
  readonly either: readonly TaintSource[]
}

/** The one rule of the default policy that also names where private data was read. */
const privateRule = 'private-egress'

/** Puts together what several rules say: most of them name the same. */
export function readPolicy(policy: readonly PolicyReason[]): PolicyFacts {
  const of = (isWanted: (reason: PolicyReason) => boolean) =>
    policy.filter(isWanted).flatMap(({ sources = [] }) => sources)
  const untrusted = unique(of(({ rule }) => rule !== privateRule))
  const mixed = of(({ rule }) => rule === privateRule)
  const destinations = [
    ...new Map(policy.flatMap((reason) => reason.destinations ?? []).map((one) => [one.name, one])).values(),
  ]
  if (untrusted.length === 0) return { destinations, untrusted, secrets: [], either: unique(mixed) }
  const known = new Set(untrusted.map(keyOf))
  // What it names twice is both; another call of the same tool for the same is not it.
  const whole = mixed.map((one) => JSON.stringify(one))
  const isBoth = (index: number) => whole.indexOf(whole[index] ?? '') < index
  const secrets = unique(mixed.filter((one, index) => !known.has(keyOf(one)) || isBoth(index)))
  return { destinations, untrusted, secrets, either: [] }
}

function unique(sources: readonly TaintSource[]): readonly TaintSource[] {
  return [...new Map(sources.map((one) => [keyOf(one), one])).values()]
}

/** What a person sees of it: the same page, read twice, is one. */
function keyOf({ kind, toolName, origin, about }: TaintSource): string {
  return JSON.stringify(kind === 'description' ? [kind, origin] : [kind, toolName, about])
}
