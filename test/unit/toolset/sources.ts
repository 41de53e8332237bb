import { type ListedTool, type StepContext, type Tool, ToolRegistry, type ToolSource, tool } from 'offstage'
import * as v from 'valibot'

/** A tool that answers with its name, as it was defined. */
export function saying(name: string, options: Partial<Parameters<typeof tool>[0]> = {}): Tool {
  return tool({
    name,
    description: `Says ${name}.`,
    inputSchema: v.object({ n: v.optional(v.number()) }),
    parallelSafe: true,
    ...(options as object),
    execute: () => name,
  }) as unknown as Tool
}

/** A source of such tools, or of given ones. */
export function sourceOf(...tools: readonly (string | Tool)[]): ToolSource {
  const registry = new ToolRegistry()
  registry.registerAll(tools.map((item) => (typeof item === 'string' ? saying(item) : item)))
  return registry.toolset()
}

/** A source as one run sees it. */
export async function sourceForRun(source: ToolSource, context: StepContext): Promise<ToolSource> {
  return (await source.forRun?.(context)) ?? source
}

/** A source as one step sees it. */
export async function sourceForStep(source: ToolSource, context: StepContext): Promise<ToolSource> {
  return (await source.forStep?.(context)) ?? source
}

/** Closes what was made for a run or a step, as who runs it does. */
export async function closeMade(made: ToolSource, source: ToolSource): Promise<void> {
  if (made !== source) await made.close?.()
}

export async function namesOf(source: ToolSource): Promise<readonly string[]> {
  return (await source.list()).map(({ definition }) => definition.name)
}

/** The tool of a name, as a source lists it. */
export async function listed(source: ToolSource, name: string): Promise<ListedTool> {
  const found = (await source.list()).find(({ definition }) => definition.name === name)
  if (found === undefined) throw new Error(`there is no tool ${name}`)
  return found
}

/** What a call answers: its text, or how else it ended. */
export async function answer(source: ToolSource, name: string, input: unknown = {}): Promise<string> {
  const outcome = await source.call(name, input)
  if (outcome.kind === 'response') return outcome.response.text
  return 'message' in outcome ? outcome.message : outcome.kind
}

/** The context of a step, with deps. */
export function stepOf(deps: unknown = undefined, step = 1): StepContext {
  return { runId: 'run', step, deps }
}

/** A source that cannot be listed while `isDead`. */
export function mortal(name: string, label: string): ToolSource & { isDead: boolean } {
  const inner = sourceOf(name)
  const source = {
    ...inner,
    label,
    isDead: true,
    list: async () => {
      if (source.isDead) throw new Error(`${label} does not answer`)
      return inner.list()
    },
  }
  return source
}
