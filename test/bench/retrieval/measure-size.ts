import type { IndexedTool, SearchableIndex } from '../../../src/retrieval/index.ts'
import { type Catalogue, type Query, sizedCatalogue } from './catalogues.ts'
import type { RetrievalOptions, RetrievalPlace } from './measure-retrieval.ts'

/** What an index of so many tools costs. */
export interface SizeFigures {
  readonly buildMs: number
  /** The longest time in which nothing else could run while it was built. */
  readonly longestSliceMs: number
  readonly p50Ms: number
  readonly p95Ms: number
  /** What the index holds beside the tools themselves. */
  readonly heapMiB: number
}

/** As many hits as the ranking is judged by. */
const limit = 10
/** By then the engine has compiled what is measured. */
const warmUps = 50
const searches = 400

/** Builds an index of so many tools again and again, and searches it. Medians of the builds. */
export async function measureSize(
  catalogues: readonly Catalogue[],
  size: number,
  { handicapMs, runs }: RetrievalOptions,
  place: RetrievalPlace,
): Promise<SizeFigures> {
  const tools = sizedCatalogue(catalogues, size)
  const builds: Awaited<ReturnType<typeof measureBuild>>[] = []
  for (let run = 0; run < runs; run += 1) builds.push(await measureBuild(tools, handicapMs, place))
  const index = place.makeIndex()
  await index.update(tools)
  const queries = evenly(
    catalogues.flatMap(({ sets }) => sets.flatMap((set) => set.queries)),
    searches,
  )
  await searchTimes(index, queries.slice(0, warmUps), 0)
  const { times } = await searchTimes(index, queries, handicapMs)
  await index.close()
  const middle = (key: 'buildMs' | 'longestSliceMs' | 'heapMiB') => median(builds.map((build) => build[key]))
  return {
    buildMs: middle('buildMs'),
    longestSliceMs: middle('longestSliceMs'),
    ...percentiles(times),
    heapMiB: middle('heapMiB'),
  }
}

async function measureBuild(tools: readonly IndexedTool[], handicapMs: number, place: RetrievalPlace) {
  const before = await place.usedHeapBytes()
  const index = place.makeIndex()
  const start = performance.now()
  const longestSliceMs = await longestHold(async () => {
    const done = index.update(tools)
    busy(handicapMs)
    await done
  })
  const buildMs = performance.now() - start
  const heapMiB = ((await place.usedHeapBytes()) - before) / 2 ** 20
  await index.close()
  return { buildMs, longestSliceMs, heapMiB }
}

/** Searches for each query in turn: how long each took, and what was found. */
export async function searchTimes(
  index: SearchableIndex,
  queries: readonly Query[],
  handicapMs: number,
): Promise<{ times: number[]; found: string[][] }> {
  const times: number[] = []
  const found: string[][] = []
  for (const { q } of queries) {
    const start = performance.now()
    busy(handicapMs)
    const hits = await index.search(q, { limit })
    times.push(performance.now() - start)
    found.push(hits.map(({ name }) => name))
  }
  return { times, found }
}

/**
 * The longest time between two turns of a task that always waits for its next, in milliseconds: what a click or a message
 * had to wait while `run` went on.
 */
async function longestHold(run: () => Promise<void>): Promise<number> {
  const { port1, port2 } = new MessageChannel()
  let longest = 0
  let last = performance.now()
  const look = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  port1.onmessage = () => {
    look()
    port2.postMessage(undefined)
  }
  port2.postMessage(undefined)
  await run()
  look()
  port1.close()
  return longest
}

/** The middle of all times, and what 95 of 100 stay below. */
export function percentiles(times: readonly number[]): { p50Ms: number; p95Ms: number } {
  const sorted = [...times].sort((one, other) => one - other)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50Ms: at(0.5), p95Ms: at(0.95) }
}

function median(values: readonly number[]): number {
  return percentiles(values).p50Ms
}

/** So many of them, from the whole list. */
function evenly<T>(all: readonly T[], count: number): T[] {
  const step = Math.max(1, all.length / count)
  return all.filter((_, position) => Math.floor(position / step) !== Math.floor((position - 1) / step))
}

/** Blocks the thread. */
function busy(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}
