import type { StepContext } from '../tool/step-context.ts'
import type { ToolSource } from './tool-source.ts'

/** The source as one run sees it: its own instance, or the source itself when it serves all runs alike. */
export async function sourceForRun(source: ToolSource, context: StepContext): Promise<ToolSource> {
  return (await source.forRun?.(context)) ?? source
}

/** The source as one step sees it. */
export async function sourceForStep(source: ToolSource, context: StepContext): Promise<ToolSource> {
  return (await source.forStep?.(context)) ?? source
}

/** Closes what {@link sourceForRun} or {@link sourceForStep} made of a source; the source itself stays open. */
export async function closeMade(made: ToolSource, source: ToolSource): Promise<void> {
  if (made !== source) await made.close?.()
}

/** Waits until everything is closed, also when a part fails; then throws what failed first. */
export async function closeAll(closing: readonly (Promise<void> | undefined)[]): Promise<void> {
  const endings = await Promise.allSettled(closing)
  const failed = endings.find((ending) => ending.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}
