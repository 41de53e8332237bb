import { defined } from '../../tool/defined.ts'
import { ToolRegistrationError } from '../../tool/errors.ts'
import { throwLater } from '../../tool/throw-later.ts'
import { isStringList } from '../../tool/value-kinds.ts'
import type { ToolsGiven } from '../../toolset/items-of.ts'
import { HostCalls } from '../host-calls.ts'
import { checkHostOptions, type HostExecutorOptions } from '../host-options.ts'
import { ExposedTools } from './exposed-tools.ts'
import { noContext, pageContext, type WebMCPContext } from './model-context.ts'

/** What {@link exposeWebMCP} takes beside the tools. */
export interface ExposeWebMCPOptions extends Omit<HostExecutorOptions, 'approval'> {
  /** Takes all tools away again when it aborts, and stops their calls. */
  readonly signal?: AbortSignal
  /** Origins of other documents that may see and call the tools, for example `https://example.com`. @default none */
  readonly exposedTo?: readonly string[]
  /** Where the tools are registered. @default the page's own */
  readonly context?: WebMCPContext
}

/** What became of the tools. */
export interface WebMCPExposure {
  /** Whether there is a model context: without one, nothing was done. */
  readonly supported: boolean
  /** Why not, and what helps. */
  readonly reason?: string
  /** The names that are registered now. */
  readonly tools: readonly string[]
  /** What the browser did not take, and why. */
  readonly setAside: readonly { readonly name: string; readonly reason: string }[]
  /** Resolves when what the source offers now is registered. */
  settled(): Promise<void>
  /** Takes all tools away, and stops their calls. The source itself stays open. */
  close(): void
}

const where = 'exposeWebMCP()'

/**
 * Offers tools to the agents of the browser and of other documents (WebMCP), and follows the source: tools that come,
 * go or change are registered as they are. Calls pass the gate as everywhere: a tool that needs a yes is offered too,
 * and the page's own dialog asks. Texts of others that a result holds stay fenced, and `untrustedContentHint` says so.
 * All calls count as one run: once one of them has read untrusted text, the policy looks at the next.
 *
 * Where there is no WebMCP it does nothing, and says so.
 *
 * @throws {@link ToolRegistrationError} for options that cannot work, and for tools that cannot be listed.
 * @example
 * const exposed = await exposeWebMCP([notes, new CalculatorTool()], { signal })
 */
export async function exposeWebMCP(
  tools: ToolsGiven,
  options: ExposeWebMCPOptions = {},
): Promise<WebMCPExposure> {
  checkHostOptions(options, ['signal', 'exposedTo', 'context'], where)
  const { signal, exposedTo, context = pageContext(), ...rest } = options
  if (exposedTo !== undefined && !isStringList(exposedTo)) {
    throw new ToolRegistrationError(
      `${where}, exposedTo: expected a list of origins, as "https://example.com".`,
    )
  }
  const calls = new HostCalls(tools, rest, where)
  if (context === undefined) return unsupported()
  const exposed = new ExposedTools(calls, context, defined({ exposedTo }))
  const unsubscribe = calls.source.subscribe?.(() => void exposed.follow().catch(throwLater))
  const close = () => {
    signal?.removeEventListener('abort', close)
    unsubscribe?.()
    exposed.close()
  }
  signal?.addEventListener('abort', close, { once: true })
  try {
    if (signal?.aborted) close()
    else await exposed.follow()
  } catch (error) {
    close()
    throw error
  }
  return {
    supported: true,
    get tools() {
      return exposed.names
    },
    get setAside() {
      return exposed.setAside
    },
    settled: () => exposed.settled(),
    close,
  }
}

function unsupported(): WebMCPExposure {
  return {
    supported: false,
    reason: noContext,
    tools: [],
    setAside: [],
    settled: async () => {},
    close: () => {},
  }
}
