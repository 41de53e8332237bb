import { errorToData } from '../tool/error-data.ts'
import type { StepContext } from '../tool/step-context.ts'
import { takenOver } from './mapped.ts'
import { sourceForRun, sourceForStep } from './source-instance.ts'
import { gone, type SourceNote, type ToolSource } from './tool-source.ts'

/** A source that offers nothing while it cannot be listed; `notes` say so, and call it by the label. */
export function skipped(source: ToolSource, label: string): ToolSource {
  let failed: readonly SourceNote[] = []
  const instance = (make: typeof sourceForRun) => async (context: StepContext) => {
    try {
      const made = await make(source, context)
      return made === source ? undefined : skipped(made, label)
    } catch (error) {
      if (isMistake(error)) throw error
      return skipped(unavailable(error), label)
    }
  }
  const self: ToolSource = {
    ...takenOver(source),
    get dynamic() {
      return source.dynamic ?? false
    },
    list: async () => {
      try {
        const listed = await source.list()
        failed = []
        return listed
      } catch (error) {
        if (isMistake(error)) throw error
        failed = [{ kind: 'failed', source: label, message: errorToData(error).message }]
        return []
      }
    },
    preflight: (name, input, options) => source.preflight(name, input, options),
    call: (name, input, options) => source.call(name, input, options),
    notes: () => [...(source.notes?.() ?? []), ...failed],
    forRun: instance(sourceForRun),
    forStep: instance(sourceForStep),
    close: async () => source.close?.(),
  }
  return self
}

/** Stands for a source that could not be made ready for a run or a step. */
function unavailable(error: unknown): ToolSource {
  return {
    list: () => Promise.reject(error),
    preflight: async (name) => gone(name),
    call: async (name) => gone(name),
  }
}

function isMistake(error: unknown): boolean {
  return error instanceof Error && error.name === 'ToolRegistrationError'
}
