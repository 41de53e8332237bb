/** What pages/index.ts puts on the page. */
declare const bench: {
  measureWorkers(): Promise<Record<string, number>>
  measureKill(): Promise<Record<string, number>>
  killMany(): Promise<number>
  measureWorkerAttacks(every: number): Promise<Record<string, number>>
  measureLoop(): Promise<Record<string, number>>
  measureStream(): Promise<Record<string, number>>
  measureMcp(url: string): Promise<Record<string, number>>
  measureRetrieval(
    data: string,
    options: import('./retrieval/measure-retrieval.ts').RetrievalOptions,
  ): Promise<import('./retrieval/measure-retrieval.ts').RetrievalReport>
  runMany(count: number): Promise<void>
}
