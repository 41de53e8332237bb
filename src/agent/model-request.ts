import type { StepTools } from '../execution/run-tools.ts'
import { once } from '../tool/once.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import type { Writable } from '../tool/writable.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import { withoutGone } from './long-results.ts'
import type { ModelRequest } from './model-adapter.ts'
import { outputToolName } from './output-tool.ts'
import { outsideRule } from './outside-rule.ts'
import type { FinishReason } from './run-result.ts'
import type { RunSetup } from './run-setup.ts'

/** The definitions of tools; made once for a list, as most steps offer the same one. */
export const definitionsOf: (tools: readonly ListedTool[]) => readonly ToolDefinition[] = once((tools) =>
  tools.map(({ definition }) => definition),
)

/** Without a limit all; in the last turn only the tool through which the final answer comes, if there is one. */
export function offeredIn(
  { offered }: StepTools,
  limit: FinishReason | undefined,
  { endStrategy }: RunSetup,
): readonly ToolDefinition[] {
  const definitions = definitionsOf(offered)
  if (limit === undefined) return definitions
  return endStrategy === undefined ? [] : definitions.filter(({ name }) => name === outputToolName)
}

/**
 * What the model is asked in a step.
 *
 * @param last - What it was offered when it last was offered anything.
 */
export function modelRequest(
  setup: RunSetup,
  tools: readonly ToolDefinition[],
  last: readonly ToolDefinition[],
  notes: StepTools['notes'],
): ModelRequest {
  const { record, signal } = setup
  const request: Writable<ModelRequest> = { messages: withoutGone(setup), tools, signal }
  const instructions = instructionsWith(notes, outsideRule(record, tools, setup.texts), setup)
  if (instructions !== undefined) request.instructions = instructions
  if (tools.length === 0 && last.length > 0) request.closedTools = last
  return request
}

/** The app's, what fences are, and which tools the model would look for in vain. */
function instructionsWith(
  notes: StepTools['notes'],
  rule: string | undefined,
  { instructions, texts }: RunSetup,
): string | undefined {
  const failed = notes.flatMap((note) => (note.kind === 'failed' ? [note.source] : []))
  if (failed.length === 0 && rule === undefined) return instructions
  const unreachable = failed.length === 0 ? undefined : texts.unreachable(failed)
  // What may change from step to step stands last.
  return [instructions, rule, unreachable].filter(Boolean).join('\n\n')
}
