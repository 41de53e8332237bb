/**
 * Words in a description in place of what a provider's schema cannot say. Each is given what it is about as text: a
 * number, JSON, or a list.
 */
export type DialectTexts = { readonly [Word in DialectWord]: (value: string) => string }

/** What is told in words; most are the names of keywords. */
export type DialectWord =
  | (
      | 'minimum'
      | 'maximum'
      | 'exclusiveMinimum'
      | 'exclusiveMaximum'
      | 'multipleOf'
      | 'minLength'
      | 'maxLength'
    )
  | ('pattern' | 'format' | 'contentEncoding' | 'contentMediaType' | 'minItems' | 'maxItems' | 'uniqueItems')
  | ('minProperties' | 'maxProperties' | 'default' | 'enum' | 'tuple' | 'contains' | 'not' | 'required')
  /** A value of any type; a schema within itself; a key that was renamed; keys that are not named. */
  | ('anyValue' | 'nested' | 'keyName' | 'otherKeys' | 'keyNames')
  /** Groups of keys of which one must be there; how keys go together; a rule. */
  | ('anyRequired' | 'oneRequired' | 'ways' | 'condition' | 'matches' | 'refused')

/** The sentences in English. */
export const dialectTextsEn: DialectTexts = {
  minimum: (value) => `At least ${value}.`,
  maximum: (value) => `At most ${value}.`,
  exclusiveMinimum: (value) => `More than ${value}.`,
  exclusiveMaximum: (value) => `Less than ${value}.`,
  multipleOf: (value) => `A multiple of ${value}.`,
  minLength: (value) => `At least ${value} characters.`,
  maxLength: (value) => `At most ${value} characters.`,
  pattern: (value) => `Must match the regular expression ${value}.`,
  format: (value) => `Format: ${value}.`,
  minItems: (value) => `At least ${value} items.`,
  maxItems: (value) => `At most ${value} items.`,
  uniqueItems: () => 'No item twice.',
  minProperties: (value) => `At least ${value} keys.`,
  maxProperties: (value) => `At most ${value} keys.`,
  contentEncoding: (value) => `Encoded as ${value}.`,
  contentMediaType: (value) => `Holds ${value}.`,
  default: (value) => `Default: ${value}.`,
  enum: (value) => `Must be ${value}.`,
  tuple: (value) => `The items in order: ${value}.`,
  anyValue: () => 'Any value.',
  nested: () => 'More is nested here, which is checked but not shown.',
  keyName: (value) => `Stands for ${value}.`,
  otherKeys: (value) => `Other keys may be added, with values that match ${value}.`,
  keyNames: (value) => `Its keys must match ${value}.`,
  required: (value) => `Must have ${value}.`,
  anyRequired: (value) => `Must have at least one of these groups of keys: ${value}.`,
  oneRequired: (value) => `Must have exactly one of these groups of keys: ${value}.`,
  ways: (value) => `The keys go together in one of these ways: ${value}.`,
  not: (value) => `Must not match ${value}.`,
  condition: (value) => `Follows the rule ${value}.`,
  matches: (value) => `Must also match ${value}.`,
  contains: (value) => `Has items that match ${value}.`,
  refused: () => 'No value fits here.',
}
