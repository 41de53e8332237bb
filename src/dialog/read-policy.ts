import type { Destination, PolicyReason } from '../tool/policy-reason.ts'
import type { TaintSource } from '../tool/taint-source.ts'

/** What rules of the policy have against a call, each thing once. */
export interface PolicyFacts {
  readonly destinations: readonly Destination[]
  /** What was read and is not to be trusted. */
  readonly untrusted: readonly TaintSource[]
  /** Where private data was read. */
  readonly secrets: readonly TaintSource[]
}

/** Puts together what several rules say: most of them name the same. */
export function readPolicy(policy: readonly PolicyReason[]): PolicyFacts {
  return {
    destinations: unique(
      policy.flatMap(({ destinations = [] }) => destinations),
      ({ name }) => name,
    ),
    untrusted: unique(
      policy.flatMap(({ sources = [] }) => sources),
      shownOf,
    ),
    secrets: unique(
      policy.flatMap(({ secrets = [] }) => secrets),
      shownOf,
    ),
  }
}

function unique<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()]
}

/** What a person sees of it: the same page, read twice, is one. */
function shownOf({ kind, toolName, origin, about }: TaintSource): string {
  return JSON.stringify(kind === 'description' ? [kind, origin] : [kind, toolName, about])
}
