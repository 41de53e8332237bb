/**
 * The stem of an English word in lower case, by Porter's algorithm (M. F. Porter, An algorithm for suffix stripping,
 * Program 14 (3), 1980, with the author's later change to "logi" and "bli"). Orama's own makes "connec" of
 * "connection", which then does not meet "connect".
 */
export function porterStem(word: string): string {
  if (word.length < 3 || !plainWord.test(word)) return word
  return lastLetters(longSuffix(shortSuffix(longerSuffix(finalY(pastOrPresent(plural(word)))))))
}

const plainWord = /^[a-z]+$/

function plural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

function pastOrPresent(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const stem = /^(.*)(?:ed|ing)$/.exec(word)?.[1]
  if (stem === undefined || !hasVowel(stem)) return word
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (/([^aeiouylsz])\1$/.test(stem)) return stem.slice(0, -1)
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem
}

function finalY(word: string): string {
  return word.endsWith('y') && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word
}

const longerSuffixes: ReadonlyMap<string, string> = new Map([
  ...([['ational', 'ate'] as const, ['tional', 'tion'], ['enci', 'ence'], ['anci', 'ance']] as const),
  ...([['izer', 'ize'] as const, ['bli', 'ble'], ['alli', 'al'], ['entli', 'ent'], ['eli', 'e']] as const),
  ...([['ousli', 'ous'] as const, ['ization', 'ize'], ['ation', 'ate'], ['ator', 'ate']] as const),
  ...([['alism', 'al'] as const, ['iveness', 'ive'], ['fulness', 'ful'], ['ousness', 'ous']] as const),
  ...([['aliti', 'al'] as const, ['iviti', 'ive'], ['biliti', 'ble'], ['logi', 'log']] as const),
])

const shortSuffixes: ReadonlyMap<string, string> = new Map([
  ...([['icate', 'ic'] as const, ['ative', ''], ['alize', 'al'], ['iciti', 'ic']] as const),
  ...([['ical', 'ic'] as const, ['ful', ''], ['ness', '']] as const),
])

const longerPattern = suffixPattern(longerSuffixes)
const shortPattern = suffixPattern(shortSuffixes)

function longerSuffix(word: string): string {
  return replaceSuffix(word, longerPattern, longerSuffixes)
}

function shortSuffix(word: string): string {
  return replaceSuffix(word, shortPattern, shortSuffixes)
}

// A lazy stem, so that the longest suffix is the one that counts.
function suffixPattern(suffixes: ReadonlyMap<string, string>): RegExp {
  return new RegExp(`^(.*?)(${[...suffixes.keys()].join('|')})$`)
}

function replaceSuffix(word: string, pattern: RegExp, suffixes: ReadonlyMap<string, string>): string {
  const [, stem = '', suffix = ''] = pattern.exec(word) ?? []
  return suffix !== '' && measure(stem) > 0 ? stem + suffixes.get(suffix) : word
}

const longPattern =
  /^(.*?)(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|(?<=[st])ion|ou|ism|ate|iti|ous|ive|ize)$/

function longSuffix(word: string): string {
  const stem = longPattern.exec(word)?.[1]
  return stem !== undefined && measure(stem) > 1 ? stem : word
}

function lastLetters(word: string): string {
  const stem = word.slice(0, -1)
  if (word.endsWith('e') && (measure(stem) > 1 || (measure(stem) === 1 && !endsShort(stem)))) return stem
  return word.endsWith('ll') && measure(word) > 1 ? stem : word
}

// A "y" is a vowel behind a consonant.
function isVowel(word: string, position: number): boolean {
  const letter = word.charAt(position)
  if (letter === 'y') return position > 0 && !isVowel(word, position - 1)
  return 'aeiou'.includes(letter)
}

function hasVowel(stem: string): boolean {
  for (let position = 0; position < stem.length; position += 1) if (isVowel(stem, position)) return true
  return false
}

/** How often a consonant follows a vowel. */
function measure(stem: string): number {
  let count = 0
  let wasVowel = false
  for (let position = 0; position < stem.length; position += 1) {
    const vowel = isVowel(stem, position)
    if (wasVowel && !vowel) count += 1
    wasVowel = vowel
  }
  return count
}

/** Whether it ends in consonant, vowel, consonant, and the last is none of w, x and y. */
function endsShort(stem: string): boolean {
  const last = stem.length - 1
  if (last < 2 || 'wxy'.includes(stem.charAt(last))) return false
  return !isVowel(stem, last) && isVowel(stem, last - 1) && !isVowel(stem, last - 2)
}
