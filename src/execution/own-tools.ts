import { once } from '../tool/once.ts'
import type { StepContext } from '../tool/step-context.ts'
import type { MaybePromise } from '../tool/when-done.ts'
import { checkListed } from '../toolset/check-listed.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import { closeMade, sourceForRun, sourceForStep } from '../toolset/source-instance.ts'
import type { ToolPermissions } from '../toolset/tool-permissions.ts'
import type { ToolSource } from '../toolset/tool-source.ts'
import { checkDenied, type StepTools } from './run-tools.ts'

/** What calls may name, and where they run. */
export type CallableTools = Pick<StepTools, 'source' | 'tools' | 'heldBack'>

/** Opens a source for calls outside of any agent's step, and closes what was made for them. */
export async function withOwnTools<T>(
  source: ToolSource,
  context: StepContext,
  permissions: readonly ToolPermissions[],
  use: (tools: CallableTools) => MaybePromise<T>,
): Promise<T> {
  const ofRun = await sourceForRun(source, context)
  try {
    const ofStep = await sourceForStep(ofRun, context)
    try {
      return await use({ source: ofStep, tools: await listTools(ofStep, permissions) })
    } finally {
      await closeMade(ofStep, ofRun)
    }
  } finally {
    await closeMade(ofRun, source)
  }
}

async function listTools(
  source: ToolSource,
  permissions: readonly ToolPermissions[],
): Promise<ReadonlyMap<string, ListedTool>> {
  const listed = await source.list()
  checkDenied(permissions, listed, source)
  // A list that cannot change is read once: a source may give it for every call.
  return Object.isFrozen(listed) ? byNameOnce(listed) : checkListed(listed)
}

const byNameOnce = once(checkListed)
