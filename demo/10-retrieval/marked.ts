import { element } from '../shared/element.ts'

const words = /[\p{L}\p{N}]+/gu
const chinese = /\p{Script=Han}/u

/** A text whose words are marked where they match: "meetings" marks "meeting", and Chinese each pair of characters. */
export function marked(text: string, terms: readonly string[]): (Node | string)[] {
  const stems = new Set(terms.filter((term) => !chinese.test(term)).map(stem))
  const pairs = terms.filter((term) => chinese.test(term)).flatMap(pairsOf)
  const spans = [...text.matchAll(words)].flatMap(({ 0: word, index }) => {
    if (!chinese.test(word)) return stems.has(stem(word)) ? [{ start: index, end: index + word.length }] : []
    return pairSpans(word, pairs).map(({ start, end }) => ({ start: index + start, end: index + end }))
  })
  const parts: (Node | string)[] = []
  let end = 0
  for (const span of spans) {
    parts.push(text.slice(end, span.start), element('mark', {}, text.slice(span.start, span.end)))
    end = span.end
  }
  return [...parts, text.slice(end)]
}

// Rough: the index has a better one, but this only decides what is coloured.
function stem(word: string): string {
  const rest = word.toLowerCase().replace(/(?:'s|s)$/, '')
  const bare = rest.replace(/(?:ing|ed|ion)$/, '')
  return (bare.length < 3 ? rest : bare).replace(/(\p{L})\1$/u, '$1').replace(/(?<=..)[eiy]+$/, '')
}

function pairsOf(term: string): string[] {
  const characters = [...term]
  if (characters.length === 1) return [term]
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

function pairSpans(run: string, pairs: readonly string[]): { start: number; end: number }[] {
  const isMarked = Array.from({ length: run.length }, () => false)
  for (const pair of pairs) {
    for (let at = run.indexOf(pair); at !== -1; at = run.indexOf(pair, at + 1)) {
      isMarked.fill(true, at, at + pair.length)
    }
  }
  const spans: { start: number; end: number }[] = []
  for (const [at, isIn] of isMarked.entries()) {
    if (!isIn) continue
    const last = spans.at(-1)
    if (last?.end === at) last.end = at + 1
    else spans.push({ start: at, end: at + 1 })
  }
  return spans
}
