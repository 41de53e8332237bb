import { ToolIndex } from 'offstage/retrieval'
import {
  measureRetrieval,
  type RetrievalOptions,
  type RetrievalReport,
} from '../retrieval/measure-retrieval.ts'

/** What `bench retrieval --browser` reports. The data come as text: a large object would be taken apart on its way. */
export async function measureRetrievalHere(
  data: string,
  options: RetrievalOptions,
): Promise<RetrievalReport> {
  const { usedHeapBytes } = globalThis as typeof globalThis & { usedHeapBytes(): Promise<number> }
  return measureRetrieval(JSON.parse(data), options, { makeIndex: () => new ToolIndex(), usedHeapBytes })
}
