import { once } from '../tool/once.ts'
import type { LongResultTexts } from '../tool/result-texts.ts'
import { type ListedTool, rootOf } from '../toolset/listed-tool.ts'
import { refusal } from '../toolset/tool-permissions.ts'
import type { ToolSource } from '../toolset/tool-source.ts'
import type { ExecutionScope } from './execution-scope.ts'
import type { Reader } from './parking.ts'
import { readResultSource } from './read-result-source.ts'
import { denyListsOf, exemptFromAllowLists, readResultName } from './visible-tools.ts'

/** Whether a run can be offered the tool that reads results: the app has no other one of that name, and denies none. */
export function mayBeRead({ readers, runId = '', tools, permissions, texts }: ExecutionScope): boolean {
  const isFree = readers.has(runId) || !tools.has(readResultName)
  return isFree && refusal(denyListsOf(permissions), readResultName, 'builtin', texts) === undefined
}

/**
 * Reads what is kept for an owner, and nothing else.
 *
 * @param maxChars - Of one response.
 */
export async function openReader(owner: string, maxChars: number, texts: LongResultTexts): Promise<Reader> {
  const own = readResultSource(owner, maxChars, texts)
  const [listed] = (await own.list()) as readonly [ListedTool]
  exemptFromAllowLists(rootOf(listed))
  // Most steps have the tools of the one before.
  const named = once(
    (tools: ReadonlyMap<string, ListedTool>) => new Map([...tools, [readResultName, listed]]),
  )
  const shown = once((offered: readonly ListedTool[]) => [...offered, listed])
  const joined = once((source: ToolSource) => withOwn(source, own))
  return {
    owner,
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
