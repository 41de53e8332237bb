import type { WireWords } from './dialect.ts'

/** A name as a provider takes it; two may come out the same. */
export function wireWord(name: string, { wrong, start, maxChars }: WireWords): string {
  const plain = name.replace(wrong, '_')
  const begun = start === undefined || start.test(plain) ? plain : `_${plain}`
  if (begun.length <= maxChars) return begun || '_'
  // Its end is what tells it from others that begin alike.
  return marked(begun, name, maxChars)
}

/** A name that ends in what only its original gives, whatever else there is. */
export function marked(word: string, original: string, maxChars: number): string {
  const mark = `_${checksum(original)}`
  return word.slice(0, maxChars - mark.length) + mark
}

/** The keys of one object as they are sent, all different: those that may stay stay. */
export function wireKeys(keys: readonly string[], words: WireWords | undefined): ReadonlyMap<string, string> {
  if (words === undefined) return new Map(keys.map((key) => [key, key]))
  const isFine = (key: string) => wireWord(key, words) === key
  const taken = new Set(keys.filter(isFine))
  const names = keys.map((key): readonly [string, string] => {
    if (isFine(key)) return [key, key]
    const word = wireWord(key, words)
    let name = word
    for (let count = 2; taken.has(name); count += 1) {
      const end = `_${count}`
      name = word.slice(0, words.maxChars - end.length) + end
    }
    taken.add(name)
    return [key, name]
  })
  return new Map(names)
}

/** FNV-1a, 32 bits (http://www.isthe.com/chongo/tech/comp/fnv/), as seven letters and digits. */
function checksum(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(36).padStart(7, '0')
}
