import type { RunTools } from '../execution/run-tools.ts'
import { latePart } from '../tool/late-part.ts'
import type { StepContext } from '../tool/step-context.ts'
import { withLongResults } from './long-results.ts'
import type { RunSetup } from './run-setup.ts'

/** What chooses among many tools: it is fetched for the first agent that has such a thing. */
const picking = latePart(async () => {
  const { pickTools } = await import('./pick-tools.ts')
  return { pickTools }
})

/** Opens the tools of a run: all of them, or those that are picked. */
export async function openTools(setup: RunSetup, context: StepContext): Promise<RunTools> {
  const { executor, pickers } = setup
  const opened = executor.openRun(context)
  const tools = pickers.length === 0 ? await opened : (await picking()).pickTools(await opened, setup)
  return withLongResults(tools, setup)
}
