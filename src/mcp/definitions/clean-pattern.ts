import { isRecord, type JsonObject, type JsonValue, joinPath } from '../../tool/json-value.ts'
import { hiddenNames } from './hidden-characters.ts'
import { patternRisk } from './pattern-risk.ts'
import { SchemaRefusal } from './schema-refusal.ts'
import type { FlagList } from './tool-flag.ts'

/** What becomes of the pattern of a schema. */
export interface CleanPattern {
  /** The pattern, when it can be tried on anything, or what is wrong there anyway. */
  readonly pattern?: JsonValue | undefined
  /** For the description, when it cannot. */
  readonly saidInstead: string
}

/** Of the patterns of one schema, this many characters are looked at. */
const maxPatternChars = 8192
const maxSaid = 200

/**
 * A pattern that might take forever, or that this engine does not know, is said to the model instead of being
 * checked here. The server still checks it: leaving it out is no way round any gate of the page.
 *
 * @throws {@link SchemaRefusal} for such a pattern in `patternProperties`: without it the schema means another thing.
 */
export function cleanPattern(
  { pattern, patternProperties }: JsonObject,
  path: string,
  cleaning: { readonly flags: FlagList; patternChars: number },
): CleanPattern {
  const riskOf = (text: string) => {
    cleaning.patternChars += text.length
    return cleaning.patternChars > maxPatternChars ? 'the schema has too many patterns' : patternRisk(text)
  }
  for (const name of isRecord(patternProperties) ? Object.keys(patternProperties) : []) {
    const risk = riskOf(name)
    if (risk !== undefined) throw new SchemaRefusal(`has a pattern for names that cannot be used: ${risk}`)
  }
  if (typeof pattern !== 'string') return { pattern, saidInstead: '' }
  const hidden = hiddenNames(pattern)
  const risk = hidden === '' ? riskOf(pattern) : `it holds characters that cannot be seen (${hidden})`
  if (risk === undefined) return { pattern, saidInstead: '' }
  const place = joinPath(path, 'pattern')
  cleaning.flags.add('pattern', place, `The pattern in ${place} is not checked on this page: ${risk}.`)
  const isSayable = hidden === '' && pattern.length <= maxSaid
  return { saidInstead: isSayable ? `Must match the pattern ${pattern}` : '' }
}
