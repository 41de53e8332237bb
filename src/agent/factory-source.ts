import { outsideRun, type StepContext } from '../tool/step-context.ts'
import { makeTools, type ToolFactory } from '../toolset/made-tools.ts'
import { closeMade, sourceForRun, sourceForStep } from '../toolset/source-instance.ts'
import type { ToolSource } from '../toolset/tool-source.ts'

/**
 * The tools that a factory makes for each run; they are not closed with it, as they may be shared. For tools of each
 * step, or kept for longer, there is `dynamic()`, which an app without a factory should not ship.
 */
export function factorySource(factory: ToolFactory): ToolSource {
  const make = async (context: StepContext) => {
    const { source } = await makeTools(factory, context, 'tools of the agent, what the function gave')
    return source
  }
  return {
    dynamic: true,
    reportsStart: true,
    // The executor opens it for each run, and for each call outside of one; nobody else has it.
    list: async () => (await make(outsideRun)).list(),
    preflight: async (name, input, options) => (await make(outsideRun)).preflight(name, input, options),
    call: async (name, input, options) => (await make(outsideRun)).call(name, input, options),
    forRun: async (context) => {
      const made = await make(context)
      const ofRun = await sourceForRun(made, context)
      return lent(ofRun, () => closeMade(ofRun, made))
    },
  }
}

/** The same source with another end. */
function lent(source: ToolSource, close: () => Promise<void>): ToolSource {
  const self: ToolSource = {
    dynamic: true,
    reportsStart: true,
    list: () => source.list(),
    preflight: (name, input, options) => source.preflight(name, input, options),
    call: (name, input, options) => source.call(name, input, options),
    notes: () => source.notes?.() ?? [],
    forStep: async (context) => {
      const ofStep = await sourceForStep(source, context)
      return ofStep === source ? self : ofStep
    },
    close,
  }
  return self
}
