import { checkOptions } from '../tool/check-options.ts'
import { defined } from '../tool/defined.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { once } from '../tool/once.ts'
import { joined } from './joined.ts'
import { type ListedTool, relist } from './listed-tool.ts'
import { skipped } from './skipped.ts'
import type { ToolSource } from './tool-source.ts'
import { checkUsualLimits, type UsualLimits } from './usual-limits.ts'

/** What {@link combined} takes beside the sources. */
export interface CombinedOptions extends UsualLimits {
  /**
   * What becomes of a source that cannot be listed: the whole list fails, or the source is left out with a note
   * and tried again with the next list. A mistake of the developer is never skipped. @default 'throw'
   */
  readonly onSourceError?: 'throw' | 'skip'
}

/**
 * Several sources as one. They are listed at the same time and keep their order; a call goes to the one that
 * listed the name. Of two tools of one name, where one comes from a source whose tools may change (`dynamic`, as those of
 * MCP servers), one is left out with a note: tools of the app win over those of servers, then those that cannot change,
 * then the source that stands first.
 *
 * @throws {@link ToolRegistrationError} from `list` when two others offer one name, with both origins and what can be
 * done; for an option that cannot be.
 */
export function combined(sources: readonly ToolSource[], options: CombinedOptions = {}): ToolSource {
  const { onSourceError, ...usual } = checkedOptions(options)
  const skips = onSourceError === 'skip'
  const all = sources.map((source, index) =>
    skips ? skipped(source, source.label ?? `source ${index + 1} of ${sources.length}`) : source,
  )
  return joined(all, limiter(usual))
}

/** Gives tools the limits of their group; what a tool itself says wins. The same tool gives the same again. */
function limiter(usual: UsualLimits): ((tool: ListedTool) => ListedTool) | undefined {
  if (Object.keys(usual).length === 0) return undefined
  return once((tool) => relist(tool, { ...usual, ...tool.definition }))
}

function checkedOptions(options: CombinedOptions): CombinedOptions {
  const where = 'combined()'
  checkOptions(options, ['onSourceError', 'timeoutMs', 'maxRetries', 'maxResultChars'], where)
  const { onSourceError } = options
  if (onSourceError !== undefined && onSourceError !== 'throw' && onSourceError !== 'skip') {
    throw new ToolRegistrationError(`${where}, onSourceError: expected "throw" or "skip".`)
  }
  checkUsualLimits(options, where)
  return defined({ ...options })
}
