import { type Embedder, ToolIndex, type ToolIndexOptions } from 'offstage/retrieval'
import { expect, it, onTestFinished } from 'vitest'
import { found, indexed } from './tools.ts'

const meanings = [/rain|weather|umbrella|forecast|天/i, /mail|letter|post/i, /picture|paint|draw/i]

/** One number for each meaning that a text has; and a little of each, as real ones have. */
function vectorOf(text: string): Float32Array {
  return Float32Array.from(meanings, (words) => (words.test(text) ? 3 : 0.1))
}

interface CountingEmbedder extends Embedder {
  readonly asked: string[][]
}

function embedder(multilingual = false, change = (vectors: Float32Array[]) => vectors): CountingEmbedder {
  const asked: string[][] = []
  return {
    asked,
    multilingual,
    async embed(texts) {
      asked.push([...texts])
      return change(texts.map(vectorOf))
    },
  }
}

const tools = [
  indexed('forecast', 'Says how the sky will be.'),
  indexed('sendMail', 'Writes to somebody.'),
  indexed('paint_it', 'Makes an image for a rainy letter.'),
]

async function indexWith(options: ToolIndexOptions): Promise<ToolIndex> {
  const index = new ToolIndex(options)
  onTestFinished(() => index.close())
  await index.update(tools)
  return index
}

it('a tool is found that says in other words what is asked for', async () => {
  const index = await indexWith({ embedder: embedder() })
  expect((await index.search('umbrella'))[0]).toMatchObject({ name: 'forecast', terms: [] })
  expect(await found(await indexWith({}), 'umbrella')).toEqual([])
})

it('words count more than vectors, and a tool that is named is the first whatever the vectors say', async () => {
  const index = await indexWith({ embedder: embedder() })
  expect((await found(index, 'rainy'))[0]).toBe('paint_it')
  expect((await index.search('sendMail about the weather of the sky'))[0]).toMatchObject({
    name: 'sendMail',
    score: 1,
  })
})

it.each([
  [false, []],
  [true, ['forecast']],
])(
  'a Chinese query is compared by vectors only by an embedder that takes it: %s',
  async (multilingual, names) => {
    const index = await indexWith({ embedder: embedder(multilingual) })
    expect((await found(index, '天')).slice(0, 1)).toEqual(names)
  },
)

it('a tool is embedded once, until its fingerprint changes', async () => {
  const counting = embedder()
  const index = await indexWith({ embedder: counting })
  expect(counting.asked).toEqual([
    [
      'forecast: Says how the sky will be.',
      'send Mail: Writes to somebody.',
      'paint it: Makes an image for a rainy letter.',
    ],
  ])
  await index.update(tools)
  expect(counting.asked).toHaveLength(1)
  await index.update([...tools.slice(1), indexed('forecast', 'Paints.', { fingerprint: '2' })])
  expect(counting.asked.slice(1)).toEqual([['forecast: Paints.']])
  expect((await found(index, 'umbrella'))[0]).toBe('forecast')
})

it.each<[string, Embedder['embed'], RegExp]>([
  ['rejects', () => Promise.reject(new Error('no memory')), /^no memory$/],
  [
    'throws',
    () => {
      throw new Error('not loaded')
    },
    /^not loaded$/,
  ],
  ['gives too few vectors', async () => [], /gave 0 vectors for 3 texts/],
  ['gives what is no number', async (texts) => texts.map(() => Float32Array.of(Number.NaN)), /not finite/],
  ['never answers', () => new Promise(() => {}), /no vectors within 20 ms: see embedTimeoutMs/],
])('tools are found by their words when the embedder %s, and the app is told', async (_, embed, message) => {
  const errors: unknown[] = []
  const index = await indexWith({
    embedder: { embed },
    embedTimeoutMs: 20,
    onEmbedderError: (error) => errors.push(error),
  })
  expect(errors).toEqual([expect.objectContaining({ message: expect.stringMatching(message) })])
  expect(await found(index, 'sky')).toEqual(['forecast'])
  expect(errors).toHaveLength(2)
})

it('vectors that came before a failure count, and the rest is made with the next update', async () => {
  let isBroken = false
  const broken = embedder(false, (vectors) => {
    if (isBroken) throw new Error('gone')
    return vectors
  })
  const errors: unknown[] = []
  const index = await indexWith({ embedder: broken, onEmbedderError: (error) => errors.push(error) })
  isBroken = true
  const more = [...tools, indexed('post_it', 'Sends it.')]
  await index.update(more)
  expect(errors).toHaveLength(1)
  isBroken = false
  expect((await found(index, 'umbrella'))[0]).toBe('forecast')
  await index.update(more)
  expect(await found(index, 'a letter')).toContain('post_it')
  expect(errors).toHaveLength(1)
})

it('an embedder is told when the index is closed, and its failure then is nobody’s', async () => {
  const errors: unknown[] = []
  let told: unknown
  const index = new ToolIndex({
    embedder: {
      embed: (_, { signal }) =>
        new Promise((__, reject) => {
          signal.addEventListener('abort', () => {
            told = signal.reason
            reject(signal.reason)
          })
        }),
    },
    onEmbedderError: (error) => errors.push(error),
  })
  const updated = index.update(tools)
  expect(await found(index, '')).toEqual([])
  await new Promise((resolve) => setTimeout(resolve))
  await index.close()
  await updated
  expect(told).toMatchObject({ name: 'AbortError' })
  expect(errors).toEqual([])
})

it('words can be searched while the vectors of tools are still made', async () => {
  let finish: () => void = () => {}
  let isSlow = true
  const index = new ToolIndex({
    embedder: {
      async embed(texts) {
        if (isSlow && texts.length > 1) await new Promise<void>((resolve) => (finish = resolve))
        return texts.map(vectorOf)
      },
    },
  })
  const updated = index.update(tools)
  expect(await found(index, 'sky')).toEqual(['forecast'])
  expect(await found(index, 'umbrella')).toEqual([])
  isSlow = false
  finish()
  await updated
  expect((await found(index, 'umbrella'))[0]).toBe('forecast')
  await index.close()
})
