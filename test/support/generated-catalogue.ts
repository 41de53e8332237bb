import type { IndexedTool } from '../../src/retrieval/searchable-index.ts'

export interface GeneratedCatalogue {
  readonly tools: readonly IndexedTool[]
  readonly queries: readonly { readonly q: string; readonly gold: readonly string[] }[]
}

/** Words of a language that nobody speaks: frequent ones first, as a text would have them. */
export interface Vocabulary {
  word(position: number): string
  /** What stands between two words. */
  readonly space: string
}

export const latin: Vocabulary = { word: (position) => spell(position, syllables), space: ' ' }
/** Two characters a word. */
export const han: Vocabulary = {
  word: (position) => String.fromCodePoint(0x4e00 + position, 0x5e00 + ((position * 7) % 1_000)),
  space: '',
}

const syllables = ['ba', 'ke', 'lo', 'mi', 'nu', 'ra', 'so', 'ti', 've', 'zo', 'dra', 'fle', 'gro', 'pli']

/**
 * Tools whose texts are drawn from a vocabulary, and requests with some words of a tool's text among others that are no
 * part of it. The same for the same seed.
 */
export function generatedCatalogue(
  vocabulary: Vocabulary,
  { size, seed, namespaces = 0 }: { size: number; seed: number; namespaces?: number },
): GeneratedCatalogue {
  const random = generator(seed)
  const pick = () => Math.floor(700 * random() ** 3)
  const draw = (count: number) => Array.from({ length: count }, pick)
  const write = (words: readonly number[]) =>
    words.map((position) => vocabulary.word(position)).join(vocabulary.space)
  const tools: IndexedTool[] = []
  const queries: { q: string; gold: string[] }[] = []
  for (let position = 0; position < size; position += 1) {
    const [nameWords, description, parameters] = [draw(2), draw(6 + Math.floor(random() * 12)), draw(4)]
    const name = `${nameWords.map((word) => latin.word(word)).join('_')}_${latin.word(700 + position)}`
    const namespace = namespaces > 0 ? latin.word(2_000 + (position % namespaces)) : undefined
    tools.push({
      definition: {
        name,
        description: write(description),
        inputSchema: {
          type: 'object',
          properties: Object.fromEntries(
            parameters.map((word) => [latin.word(word), { type: 'string', description: write(draw(3)) }]),
          ),
        },
      },
      fingerprint: name,
      ...(namespace !== undefined && { namespace }),
    })
    // Of every other tool; the more of them, the more the mean says.
    if (position % 2 === 0) continue
    const said = [nameWords.slice(0, 1), description.slice(0, 1)].flat()
    const q = [write(said), latin.word(parameters[0] ?? 0), write(draw(3)), namespace ?? ''].join(' ')
    queries.push({ q, gold: [name] })
  }
  return { tools, queries }
}

function spell(position: number, parts: readonly string[]): string {
  const rest = Math.floor(position / parts.length)
  return `${rest > 0 ? spell(rest - 1, parts) : 'ka'}${parts[position % parts.length]}`
}

/** Numbers from 0 to 1 that look random: a linear congruential generator (Numerical Recipes). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
