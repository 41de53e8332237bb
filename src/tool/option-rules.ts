import { isRecord, isStringList } from './json-value.ts'
import type { DefinitionLabels, ToolLabels } from './tool-definition.ts'
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
const aString: ValueRule = { accepts: (value) => typeof value === 'string', expected: 'a string' }
const aCount: ValueRule = {
  accepts: (value) => Number.isInteger(value) && (value as number) >= 0,
  expected: 'a whole number of at least 0',
}
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
  read: (label: unknown, rule: LabelRule, name: keyof ToolLabels) => unknown,
): Labels {
  return Object.fromEntries(
    labels.map(([name, rule]) => [name, read(options[name] ?? rule.usual, rule, name)]),
  ) as Labels
}

/** Whether labels are the same whatever the input. */
export function areDecided(decided: DefinitionLabels): decided is ToolLabels {
  return labels.every(([name]) => decided[name] !== 'by-input')
}

/** The labels of a definition, judged by the worst where only the input could tell. */
export function strictest(decided: DefinitionLabels): ToolLabels {
  return Object.fromEntries(
    labels.map(([name, rule]) => [name, decided[name] === 'by-input' ? rule.strictest : decided[name]]),
  ) as unknown as ToolLabels
}

/** What each option of a tool may be, where its type alone decides. */
export const optionRules: readonly (readonly [keyof ToolOptions, ValueRule])[] = [
  ['parallelSafe', aBoolean],
  ['concurrencyKey', aFunction],
  ['needsApproval', orFunction(aBoolean)],
  ['check', aFunction],
  ['prepare', aFunction],
  ['maxRetries', aCount],
  ['maxCallsPerRun', aCount],
  [
    'userFields',
    { accepts: (value) => value === 'all' || isStringList(value), expected: '"all" or a list of fields' },
  ],
  ['requires', { accepts: isStringList, expected: 'a list of strings' }],
  ['exclusiveGroup', aString],
  ...labels.map(([name, rule]) => [name, orFunction(rule)] as const),
  ['version', aString],
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
