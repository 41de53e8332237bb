import { withoutNamespace } from './search-text.ts'

/** Finds the tools that a text names. */
export class ExactNames {
  readonly #rows = new Map<string, Set<number>>()
  readonly #isRare: (word: string) => boolean

  /** `isRare` tells whether few tools have a word at all. */
  constructor(isRare: (word: string) => boolean) {
    this.#isRare = isRare
  }

  add(row: number, name: string, namespace = ''): void {
    for (const key of keysOf(name, namespace)) {
      const same = this.#rows.get(key) ?? new Set()
      this.#rows.set(key, same.add(row))
    }
  }

  remove(row: number, name: string, namespace = ''): void {
    for (const key of keysOf(name, namespace)) {
      const same = this.#rows.get(key)
      same?.delete(row)
      if (same?.size === 0) this.#rows.delete(key)
    }
  }

  /**
   * The tools whose whole name, in any case, is the text or a word in it.
   * A tool's name counts with and without its namespace. A single plain word that is the name of a tool counts within
   * a text only where it is rare: "search" is more often meant as a word.
   */
  find(text: string): ReadonlySet<number> {
    const found = new Set<number>(this.#rows.get(text.trim().toLowerCase()))
    for (const word of wordsIn(text)) {
      if (!isIdentifier(word) && !this.#isRare(word)) continue
      for (const row of this.#rows.get(word.toLowerCase()) ?? []) found.add(row)
    }
    return found
  }
}

function keysOf(name: string, namespace: string): ReadonlySet<string> {
  return new Set([name.toLowerCase(), withoutNamespace(name, namespace).toLowerCase()])
}

// Between spaces and signs; or of the characters of an identifier, where a script without spaces stands beside it.
function* wordsIn(text: string): Generator<string> {
  for (const [word] of text.matchAll(/[^\s,;!?"'`“”‘’()[\]{}<>，。！？；、（）《》]+/gu)) {
    yield word
    yield word.replace(/[.:]+$/, '')
  }
  for (const [word] of text.matchAll(/[A-Za-z0-9_-]+/g)) yield word
}

function isIdentifier(word: string): boolean {
  return /[_\d./&:]|\p{Ll}\p{Lu}/u.test(word)
}
