import type { PolicyRule } from './policy-rule.ts'

const untrustedEffect: PolicyRule = {
  name: 'untrusted-effect',
  onlyTainted: true,
  judge: ({ labels, taint: { untrusted }, texts }) =>
    untrusted.length > 0 && labels.effect !== 'none'
      ? { kind: 'confirm', reason: texts.untrustedEffect(untrusted), sources: untrusted }
      : undefined,
}

function privateEgress(kind: 'confirm' | 'deny'): PolicyRule {
  return {
    name: 'private-egress',
    onlyTainted: true,
    judge: ({ labels, taint, texts }) => {
      const { untrusted, private: secrets } = taint
      const leaves = labels.egress === true || (labels.egress !== false && labels.egress.length > 0)
      if (untrusted.length === 0 || secrets.length === 0 || !leaves) return undefined
      return { kind, reason: texts.privateEgress(untrusted, secrets), sources: untrusted, secrets }
    },
  }
}

const revealedTool: PolicyRule = {
  name: 'revealed-tool',
  onlyTainted: true,
  judge: ({ isRevealed, taint: { untrusted }, texts }) =>
    isRevealed ? { kind: 'confirm', reason: texts.revealed(untrusted), sources: untrusted } : undefined,
}

const unknownDestination: PolicyRule = {
  name: 'unknown-destination',
  onlyTainted: true,
  judge: ({ unknownDestinations: destinations, taint: { untrusted }, texts }) =>
    destinations.length === 0
      ? undefined
      : {
          kind: 'confirm',
          reason: texts.unknownDestinations(destinations, untrusted),
          sources: untrusted,
          destinations,
        },
}

/**
 * The rules of `policy: 'confirm'`, in order. After untrusted text was read: a call that changes something asks; one
 * that sends its input away asks once private data was read; so does a tool that was not offered before; and so does
 * a call that would reach a host or an e-mail address that neither the person, nor the app, nor a trusted tool has
 * named. Before that they have nothing to say. (Rule of Two, Meta, 2025; "lethal trifecta", Willison, 2025.)
 *
 * @example new Agent({ model, tools, policy: [...defaultPolicy, noMailOnSundays] })
 */
export const defaultPolicy: readonly PolicyRule[] = Object.freeze([
  untrustedEffect,
  privateEgress('confirm'),
  revealedTool,
  unknownDestination,
])

/** The rules of `policy: 'strict'`: the same, but nothing leaves the page once private data and untrusted text were read. */
export const strictPolicy: readonly PolicyRule[] = Object.freeze([
  untrustedEffect,
  privateEgress('deny'),
  revealedTool,
  unknownDestination,
])
