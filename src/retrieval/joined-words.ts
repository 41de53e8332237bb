import { type ReadText, readText, type Word } from './tokenizer.ts'

/**
 * The words of a text, and after each what it makes with the next when written as one, where `isKnown`: who asks for a
 * "web hook" means a webhook.
 */
export function withJoinedWords(
  { text, words }: ReadText,
  isKnown: (term: string) => boolean,
): readonly Word[] {
  return words.flatMap((word, position) => {
    const next = words[position + 1]
    if (next === undefined || !/^[\s-]$/.test(text.slice(word.end, next.start))) return [word]
    const [joined, ...more] = readText(
      text.slice(word.start, word.end) + text.slice(next.start, next.end),
    ).words
    // What is in two cases, or a number behind letters, is still two words.
    if (joined === undefined || more.length > 0 || !isKnown(joined.term)) return [word]
    return [word, { term: joined.term, start: word.start, end: next.end }]
  })
}
