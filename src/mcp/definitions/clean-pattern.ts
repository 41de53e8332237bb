import { hasChatMarkup } from '../../tool/chat-markup.ts'
import { type JsonObject, type JsonValue, joinPath } from '../../tool/json-value.ts'
import { isRecord } from '../../tool/value-kinds.ts'
import type { DefinitionTexts } from './definition-texts.ts'
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
  cleaning: { readonly flags: FlagList; readonly texts: DefinitionTexts; patternChars: number },
): CleanPattern {
  const { texts } = cleaning
  const riskOf = (text: string) => {
    cleaning.patternChars += text.length
    return cleaning.patternChars > maxPatternChars ? texts.tooManyPatterns : patternRisk(text, texts)
  }
  for (const name of isRecord(patternProperties) ? Object.keys(patternProperties) : []) {
    const risk = riskOf(name)
    if (risk !== undefined) throw new SchemaRefusal(texts.unusableNamePattern(risk))
  }
  if (typeof pattern !== 'string') return { pattern, saidInstead: '' }
  const unseemly = unseemlyIn(pattern, texts)
  const risk = unseemly ?? riskOf(pattern)
  if (risk === undefined) return { pattern, saidInstead: '' }
  const place = joinPath(path, 'pattern')
  cleaning.flags.add('pattern', place, texts.uncheckedPattern(place, risk))
  const isSayable = unseemly === undefined && pattern.length <= maxSaid
  return { saidInstead: isSayable ? texts.mustMatch(pattern) : '' }
}

/** What in a pattern a model must not read. */
function unseemlyIn(pattern: string, texts: DefinitionTexts): string | undefined {
  const hidden = hiddenNames(pattern)
  if (hidden !== '') return texts.hiddenInPattern(hidden)
  return hasChatMarkup(pattern) ? texts.markupInPattern : undefined
}
