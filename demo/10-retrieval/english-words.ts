/** There is one of each, or nobody counts them. */
const uncounted = new Set([
  ...['balance', 'quota', 'presence', 'volume', 'playback', 'background', 'elevation', 'time zone'],
  ...['current weather', 'sunrise', 'UV index', 'pronunciation', 'hourly forecast'],
])

/** "an event". */
export function withArticle(word: string): string {
  if (uncounted.has(word)) return `the ${word}`
  return `${/^[aeiou]/i.test(word) ? 'an' : 'a'} ${word}`
}

/** "events". */
export function plural(word: string): string {
  if (/(?:s|x|ch)$/.test(word)) return `${word}es`
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`
}

/** "free_slot". */
export function snake(words: string): string {
  return words.toLowerCase().replaceAll(' ', '_')
}

/** "An event". */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
