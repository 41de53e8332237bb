/** How often each statement, function and branch of a file ran, as Istanbul counts. */
export interface Counters {
  readonly s: Record<string, number>
  readonly f: Record<string, number>
  readonly b: Record<string, number[]>
}

/** Istanbul's data by file; beside the counters it says what they stand for. */
export type CoverageMap = Record<string, Counters>

/** What a worker tells of itself: its counters as text, which costs a worker less than a copy of so many objects. */
export interface WorkerCoverage {
  readonly worker: string
  readonly counters: string
}

/** What the page asks the workers for: data of files that no worker has described, whole. It never changes. */
export interface Undescribed {
  readonly undescribed: readonly string[]
}

/** The answer of a worker that has some of them. */
export interface Described {
  readonly described: CoverageMap
}

/** The channel between the workers of a test and its page. */
export const channelName = 'offstage-coverage'

/** The counters alone. */
export function counters(all: CoverageMap): CoverageMap {
  return Object.fromEntries(Object.entries(all).map(([file, { s, f, b }]) => [file, { s, f, b }]))
}

/** Adds the counters of a worker to those of the page. */
export function addCounters(to: Counters, from: Counters): void {
  for (const [key, count] of Object.entries(from.s)) to.s[key] = (to.s[key] ?? 0) + count
  for (const [key, count] of Object.entries(from.f)) to.f[key] = (to.f[key] ?? 0) + count
  for (const [key, counts] of Object.entries(from.b)) {
    to.b[key] = counts.map((count, branch) => (to.b[key]?.[branch] ?? 0) + count)
  }
}
