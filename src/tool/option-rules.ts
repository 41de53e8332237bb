import type { DefinitionLabels, ToolLabels } from './tool-definition.ts'
import type { ToolOptions } from './tool-options.ts'
import { isRecord, isStringList } from './value-kinds.ts'

/** What a value of an option may be. */
export interface ValueRule {
  accepts(value: unknown): boolean
  /** In words, to stand behind "must be". */
  readonly expected: string
}

/** What absent labels stand for. */
const usualLabels: ToolLabels = { effect: 'local', egress: false, reads: 'public', externalContent: false }

/** What a call is judged by when a function that decides a label throws or gives no such label. */
const strictestLabels: ToolLabels = {
  effect: 'destructive',
  egress: true,
  reads: 'private',
  externalContent: true,
}

const labelNames = Object.keys(usualLabels) as (keyof ToolLabels)[]

/** The labels of a definition, from the options of a tool. */
export function readLabels(options: ToolOptions): DefinitionLabels {
  return mapLabels((name) => {
    const label: unknown = options[name] ?? usualLabels[name]
    if (typeof label === 'function') return 'by-input'
    // The definition is frozen, and the app's own list must not be.
    return Array.isArray(label) ? [...label] : label
  }) as unknown as DefinitionLabels
}

/** Whether labels are the same whatever the input. */
export function areDecided(labels: DefinitionLabels): labels is ToolLabels {
  // Asked for every call: it makes nothing.
  for (const name in labels) if (labels[name as keyof DefinitionLabels] === 'by-input') return false
  return true
}

/** The labels of a definition; where only the input could tell, what `decide` says, or else the worst. */
export function strictest(
  labels: DefinitionLabels,
  decide?: (name: keyof ToolLabels) => unknown,
): ToolLabels {
  return mapLabels((name) => {
    if (labels[name] !== 'by-input') return labels[name]
    try {
      const label = decide?.(name)
      if (labelRules[name].accepts(label)) return label
    } catch {
      // As good as no answer.
    }
    return strictestLabels[name]
  }) as unknown as ToolLabels
}

function mapLabels(read: (name: keyof ToolLabels) => unknown): Record<string, unknown> {
  return Object.fromEntries(labelNames.map((name) => [name, read(name)]))
}

const aBoolean: ValueRule = { accepts: (value) => typeof value === 'boolean', expected: 'true or false' }
const aString: ValueRule = { accepts: (value) => typeof value === 'string', expected: 'a string' }
const aCount: ValueRule = {
  accepts: (value) => Number.isInteger(value) && (value as number) >= 0,
  expected: 'a whole number of at least 0',
}
/** Less would have no room for the note that says what is missing. */
export const leastResultChars = 1_000
const aLength: ValueRule = {
  accepts: (value) =>
    value === Number.POSITIVE_INFINITY || (aCount.accepts(value) && (value as number) >= leastResultChars),
  expected: `a whole number of at least ${leastResultChars}`,
}
const aFunction: ValueRule = {
  accepts: (value) => typeof value === 'function',
  expected: 'a function of the input',
}

/** What a label may be, once it is decided. One that is anything else would be read as "no danger". */
export const labelRules: Readonly<Record<keyof ToolLabels, ValueRule>> = {
  effect: oneOf('none', 'local', 'external', 'destructive'),
  egress: {
    accepts: (value) => typeof value === 'boolean' || isStringList(value),
    expected: 'true, false or a list of hosts',
  },
  reads: oneOf('public', 'private'),
  externalContent: aBoolean,
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
  ['maxResultChars', aLength],
  [
    'userFields',
    { accepts: (value) => value === 'all' || isStringList(value), expected: '"all" or a list of fields' },
  ],
  ['requires', { accepts: isStringList, expected: 'a list of strings' }],
  ['exclusiveGroup', aString],
  ...labelNames.map((name) => [name, orFunction(labelRules[name])] as const),
  ['examples', { accepts: isStringList, expected: 'a list of strings' }],
  ['version', aString],
  ['metadata', { accepts: isRecord, expected: 'an object' }],
]

function oneOf(...values: readonly string[]): ValueRule {
  return { accepts: (value) => values.includes(value as string), expected: `one of ${values.join(', ')}` }
}

function orFunction({ accepts, expected }: ValueRule): ValueRule {
  return {
    accepts: (value) => aFunction.accepts(value) || accepts(value),
    expected: `${expected}, or ${aFunction.expected}`,
  }
}
