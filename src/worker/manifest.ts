import { ToolRegistrationError } from '../tool/errors.ts'
import { outsideRun } from '../tool/step-context.ts'
import { checkListed } from '../toolset/check-listed.ts'
import { middlewareOf } from '../toolset/listed-tool.ts'
import { sourceForStep } from '../toolset/source-instance.ts'
import type { ToolSource } from '../toolset/tool-source.ts'
import type { ManifestEntry } from './protocol.ts'

/**
 * What the page is told of a worker's tools.
 *
 * @throws {@link ToolRegistrationError} for tools that cannot be served.
 */
export async function manifestOf(source: ToolSource): Promise<readonly ManifestEntry[]> {
  const listed = await source.list()
  checkListed(listed)
  const guarded = listed.find((tool) => middlewareOf(tool).length > 0)
  if (guarded !== undefined) {
    throw new ToolRegistrationError(
      `serveTools(): the tool "${guarded.definition.name}" has middleware of wrapped(), which does not run in a worker. ` +
        'Wrap the WorkerToolset on the page instead, where the gate is.',
    )
  }
  const perStep = (await sourceForStep(source, outsideRun)) !== source
  return listed.map(({ definition, fingerprint }) =>
    perStep ? { definition, fingerprint, perStep } : { definition, fingerprint },
  )
}
