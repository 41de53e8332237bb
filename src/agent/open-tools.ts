import type { RunTools } from '../execution/run-tools.ts'
import { latePart } from '../tool/late-part.ts'
import type { StepContext } from '../tool/step-context.ts'
import type { RunSetup } from './run-setup.ts'

/** What chooses among many tools: it is fetched for the first agent that has such a thing. */
const picking = latePart(async () => {
  const { pickTools } = await import('./pick-tools.ts')
  return { pickTools }
})

/** Opens the tools of a run: all of them, or those that are picked. */
export function openTools(setup: RunSetup, context: StepContext): Promise<RunTools> {
  const { executor, pickers } = setup
  return pickers.length === 0 ? executor.openRun(context) : openPicked(setup, context)
}

async function openPicked(setup: RunSetup, context: StepContext): Promise<RunTools> {
  const { pickTools } = await picking()
  return pickTools(await setup.executor.openRun(context), setup)
}
