import { isRecord, isStringList } from './json-value.ts'
import type { ToolLabels } from './tool-definition.ts'
import type { ToolOptions } from './tool-options.ts'

/** What a value of an option, or of a label, may be. */
export interface ValueRule {
  accepts(value: unknown): boolean
  /** In words, to stand behind "must be". */
  readonly expected: string
}

/** The rule of a label. One that is anything else would be read as "no danger". */
export interface LabelRule extends ValueRule {
  /** What an absent label stands for. */
  readonly usual: unknown
  /** What the call is judged by when a function that decides the label throws or gives no such label. */
  readonly strictest: unknown
}

const aBoolean: ValueRule = { accepts: (value) => typeof value === 'boolean', expected: 'true or false' }
const aFunction: ValueRule = { accepts: isFunction, expected: 'a function of the input' }

const labelRules: Readonly<Record<keyof ToolLabels, LabelRule>> = {
  effect: {
    ...oneOf('none', 'local', 'external', 'destructive'),
    usual: 'local',
    strictest: 'destructive',
  },
  egress: {
    accepts: (value) => typeof value === 'boolean' || isStringList(value),
    expected: 'true, false or a list of hosts',
    usual: false,
    strictest: true,
  },
  reads: { ...oneOf('public', 'private'), usual: 'public', strictest: 'private' },
  externalContent: { ...aBoolean, usual: false, strictest: true },
}

const labels = Object.entries(labelRules) as [keyof ToolLabels, LabelRule][]

/** Reads the labels in the options of a tool one by one. */
export function readLabels<Labels extends Record<keyof ToolLabels, unknown>>(
  options: ToolOptions,
  read: (label: unknown, rule: LabelRule) => unknown,
): Labels {
  return Object.fromEntries(
    labels.map(([name, rule]) => [name, read(options[name] ?? rule.usual, rule)]),
  ) as Labels
}

/** What each option of a tool may be, where its type alone decides. */
export const optionRules: readonly (readonly [keyof ToolOptions, ValueRule])[] = [
  ['parallelSafe', aBoolean],
  ['concurrencyKey', aFunction],
  ['needsApproval', orFunction(aBoolean)],
  ['check', aFunction],
  ...labels.map(([name, rule]) => [name, orFunction(rule)] as const),
  ['version', { accepts: (value) => typeof value === 'string', expected: 'a string' }],
  ['metadata', { accepts: isRecord, expected: 'an object' }],
]

function oneOf(...values: readonly string[]): ValueRule {
  return { accepts: (value) => values.includes(value as string), expected: `one of ${values.join(', ')}` }
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
