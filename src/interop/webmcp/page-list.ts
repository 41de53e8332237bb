import { errorToData } from '../../tool/error-data.ts'
import { ToolError } from '../../tool/errors.ts'
import { within } from '../../tool/time-limit.ts'
import type { WebMCPContext, WebMCPRegisteredTool } from './model-context.ts'
import { ownNames } from './own-tools.ts'
import { isReadable } from './page-tools.ts'
import type { WebMCPSettings } from './webmcp-options.ts'

/** What a context lists now. */
export interface PageList {
  readonly registered: readonly WebMCPRegisteredTool[]
  /** Why the frames' tools are not there, if that is so. */
  readonly withoutFrames?: string
}

/**
 * What is registered now, without what this page itself has exposed. The polyfill refuses to be asked for frames: then
 * the page's own tools are what there is.
 *
 * @throws ToolError or what the context throws, when it gives no list.
 */
export async function listPage(
  context: WebMCPContext,
  { origins, timeoutMs }: Pick<WebMCPSettings, 'origins' | 'timeoutMs'>,
): Promise<PageList> {
  const registered = async (options: { readonly fromOrigins?: readonly string[] }) => {
    const listed = await within(Promise.resolve(context.getTools?.(options)), timeoutMs, undefined)
    if (Array.isArray(listed)) return withoutOwn(listed, context)
    throw new ToolError(`getTools() gave no list within ${timeoutMs} ms`, { code: 'tool-failed' })
  }
  if (origins.length === 0) return { registered: await registered({}) }
  try {
    return { registered: await registered({ fromOrigins: origins }) }
  } catch (error) {
    if (Object(error).name !== 'NotSupportedError') throw error
    const why = errorToData(error).message
    return {
      registered: await registered({}),
      withoutFrames: `The tools of frames could not be read: ${why}`,
    }
  }
}

function withoutOwn(listed: readonly unknown[], context: WebMCPContext): readonly WebMCPRegisteredTool[] {
  const own = ownNames(context)
  return listed
    .filter(isReadable)
    .filter(({ name, window }) => !(own.has(name) && window === globalThis.window))
}
