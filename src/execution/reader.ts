import { longResultTextsEn } from '../tool/long-result-texts.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import { once } from '../tool/once.ts'
import { type ListedTool, rootOf } from '../toolset/listed-tool.ts'
import type { ToolSource } from '../toolset/tool-source.ts'
import type { Reader } from './parking.ts'
import { readResultSource } from './read-result-source.ts'
import type { SafeResultStore } from './safe-result-store.ts'
import { exemptFromAllowLists, readResultName } from './visible-tools.ts'

/** What a reader is made of. */
export interface ReaderSetup {
  /** It reads what is kept for this owner, and nothing else. */
  readonly owner: string
  readonly store: SafeResultStore
  /** Of a result of other tools. */
  readonly maxChars: number
  readonly texts: ModelTexts
}

/** What is read at once where results have no limit: what is kept then is longer than its own tool wants. */
const usualChars = 16_000

/** Makes a reader. */
export async function openReader({ owner, store, maxChars, texts }: ReaderSetup): Promise<Reader> {
  const own = readResultSource({
    read: (handle) => store.read(owner, handle),
    maxChars: Number.isFinite(maxChars) ? maxChars : usualChars,
    texts: { ...longResultTextsEn, ...texts.results },
  })
  const [listed] = (await own.list()) as readonly [ListedTool]
  exemptFromAllowLists(rootOf(listed))
  // Most steps have the tools of the one before.
  const named = once(
    (tools: ReadonlyMap<string, ListedTool>) => new Map([...tools, [readResultName, listed]]),
  )
  const shown = once((offered: readonly ListedTool[]) => [...offered, listed])
  const joined = once((source: ToolSource) => withOwn(source, own))
  return {
    addTo: (step, budget) => {
      if (step.tools.has(readResultName)) return step
      const { offered } = step
      return {
        ...step,
        source: joined(step.source),
        tools: named(step.tools),
        ...(offered === undefined || budget?.isClosed(readResultName) ? {} : { offered: shown(offered) }),
      }
    },
    forget: () => store.delete(owner),
  }
}

function withOwn(source: ToolSource, own: ToolSource): ToolSource {
  const sourceOf = (name: string) => (name === readResultName ? own : source)
  return {
    reportsStart: source.reportsStart ?? false,
    settlesSoon: source.settlesSoon ?? false,
    list: async () => [...(await source.list()), ...(await own.list())],
    preflight: (name, input, options) => sourceOf(name).preflight(name, input, options),
    call: (name, input, options) => sourceOf(name).call(name, input, options),
  }
}
