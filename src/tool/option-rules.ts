import { isRecord } from './json-value.ts'
import type { ToolLabels } from './tool-definition.ts'
import type { ToolOptions } from './tool-options.ts'

/** What a value of an option, or of a label, may be. */
export interface ValueRule {
  accepts(value: unknown): boolean
  /** In words, to stand behind "must be". */
  readonly expected: string
}

/** What each label may be, by name. A label that is anything else would be read as "no danger". */
export const labelRules: { readonly [Name in keyof ToolLabels]: ValueRule } = {
  effect: oneOf('none', 'local', 'external', 'destructive'),
  egress: {
    accepts: (value) =>
      typeof value === 'boolean' || (Array.isArray(value) && value.every((host) => typeof host === 'string')),
    expected: 'true, false or a list of hosts',
  },
  reads: oneOf('public', 'private'),
  externalContent: { accepts: (value) => typeof value === 'boolean', expected: 'true or false' },
}

const aBoolean: ValueRule = { accepts: (value) => typeof value === 'boolean', expected: 'true or false' }
const aFunction: ValueRule = { accepts: isFunction, expected: 'a function of the input' }

/** What each option of a tool may be, where its type alone decides. */
export const optionRules: readonly (readonly [keyof ToolOptions, ValueRule])[] = [
  ['parallelSafe', aBoolean],
  ['concurrencyKey', aFunction],
  ['needsApproval', orFunction(aBoolean)],
  ['check', aFunction],
  ['effect', orFunction(labelRules.effect)],
  ['egress', orFunction(labelRules.egress)],
  ['reads', orFunction(labelRules.reads)],
  ['externalContent', orFunction(labelRules.externalContent)],
  ['version', { accepts: (value) => typeof value === 'string', expected: 'a string' }],
  ['metadata', { accepts: isRecord, expected: 'an object' }],
]

function oneOf(...values: readonly string[]): ValueRule {
  const shown = values.map((value) => JSON.stringify(value))
  return {
    accepts: (value) => typeof value === 'string' && values.includes(value),
    expected: `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`,
  }
}

function orFunction({ accepts, expected }: ValueRule): ValueRule {
  return {
    accepts: (value) => isFunction(value) || accepts(value),
    expected: `${expected}, or a function of the input`,
  }
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}
