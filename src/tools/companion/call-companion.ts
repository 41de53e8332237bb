import { errorToData } from '../../tool/error-data.ts'
import type { JsonObject } from '../../tool/json-value.ts'
import type { RunContext } from '../../tool/run-context.ts'
import type { ToolResponse } from '../../tool/tool-response.ts'
import { isRecord } from '../../tool/value-kinds.ts'
import type { ListedTool } from '../../toolset/listed-tool.ts'
import type { ToolSource } from '../../toolset/tool-source.ts'

/** A companion as the built-in tools take it: what `connectCompanion` gave, or a function that gives it once it is there. */
export type CompanionOption = ToolSource | (() => ToolSource | undefined)

/** What came of a call: the answer of the companion, or why there is none. */
export type CompanionAnswer =
  | { readonly kind: 'answer'; readonly response: ToolResponse }
  /** There is no companion, or none that is connected; `reason` is empty when nobody has connected one. */
  | { readonly kind: 'absent'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }

/** A call of a tool of the companion's own. */
export interface CompanionCall {
  readonly tool: 'shell' | 'web_search'
  readonly input: JsonObject
  /** How long the answer may take, in milliseconds. */
  readonly timeoutMs: number
}

/**
 * Calls a tool of the companion on behalf of a built-in tool, which has passed the gate itself.
 *
 * @throws the reason of the context's signal when that aborted.
 */
export async function callCompanion(
  companion: CompanionOption | undefined,
  { tool, input, timeoutMs }: CompanionCall,
  { signal, progress }: Pick<RunContext, 'signal' | 'progress'>,
): Promise<CompanionAnswer> {
  const source = typeof companion === 'function' ? companion() : companion
  if (source === undefined) return { kind: 'absent', reason: '' }
  const listed = (await source.list()).find((one) => isCompanionTool(one, tool))
  signal.throwIfAborted()
  if (listed === undefined) return { kind: 'absent', reason: reasonOf(source) }
  const { definition } = listed
  const outcome = await source.call(definition.name, input, {
    signal,
    definition: { ...definition, timeoutMs },
    onProgress: progress,
  })
  signal.throwIfAborted()
  switch (outcome.kind) {
    case 'response':
      return { kind: 'answer', response: outcome.response }
    case 'retry':
    case 'failed':
      return { kind: 'failed', reason: outcome.message }
    case 'crash':
      return { kind: 'failed', reason: errorToData(outcome.error).message }
    default:
      return { kind: 'failed', reason: outcome.kind }
  }
}

/** The page may have put any other name before it. */
function isCompanionTool({ definition }: ListedTool, tool: string): boolean {
  const { mcp } = definition.metadata ?? {}
  return isRecord(mcp) && mcp.name === tool
}

function reasonOf(source: ToolSource): string {
  const failed = source.notes?.().find(({ kind }) => kind === 'failed')
  return failed?.kind === 'failed' ? failed.message : 'it offers no such tool.'
}
