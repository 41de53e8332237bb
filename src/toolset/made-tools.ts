import type { StepContext } from '../tool/step-context.ts'
import { gather, type ToolInput } from './gather.ts'
import { joined } from './joined.ts'
import { isToolSource, type ToolSource } from './tool-source.ts'

/** What a factory may give: tools and sources, one source, or nothing. */
export type MadeTools<Deps = unknown> = ToolSource | readonly ToolInput<Deps>[] | null | undefined

/** Makes the tools of a run or a step. */
export type ToolFactory<Deps = unknown> = (
  context: StepContext<Deps>,
) => MadeTools<Deps> | Promise<MadeTools<Deps>>

/** What one call of a factory made. */
export interface Made {
  /** One that reports starts. */
  readonly source: ToolSource
  /** The sources that the factory itself gave: what there is to close. */
  readonly parts: readonly ToolSource[]
}

/** @throws {@link ToolRegistrationError} when the factory gives what holds no tools, and whatever it throws itself. */
export async function makeTools(
  factory: ToolFactory<never>,
  context: StepContext,
  where: string,
): Promise<Made> {
  const given = (await factory(context as StepContext<never>)) ?? []
  const items = isToolSource(given) ? [given] : given
  const source = gather(items, where)
  return { source: source.reportsStart ? source : joined([source]), parts: items.filter(isToolSource) }
}
