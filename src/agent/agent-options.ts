import { sharedOptionNames, type ToolExecutorOptions } from '../execution/executor-options.ts'
import type { Grants } from '../execution/grants.ts'
import { ToolExecutor } from '../execution/tool-executor.ts'
import type { ToolRegistry } from '../execution/tool-registry.ts'
import { checkCount, checkOptions } from '../tool/check-options.ts'
import { defined } from '../tool/defined.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { isTool, type Tool } from '../tool/tool.ts'
import { hasMethods } from '../tool/value-kinds.ts'
import type { ToolInput } from '../toolset/gather.ts'
import type { ToolFactory } from '../toolset/made-tools.ts'
import { isToolkit } from '../toolset/toolkit.ts'
import { factorySource } from './factory-source.ts'
import { checkLimits, type RunLimits } from './limits.ts'
import type { ModelAdapter } from './model-adapter.ts'
import { type EndStrategy, outputToolName } from './output-tool.ts'
import type { AgentEvent } from './run-result.ts'
import type { RunStore } from './run-store.ts'
import { searchOf, type ToolPicker } from './tool-picker.ts'

/** What an agent is made of. */
export interface AgentOptions<Deps = unknown>
  extends Pick<
    ToolExecutorOptions,
    | 'confirm'
    | 'permissions'
    | 'policy'
    | 'trustedHosts'
    | 'middleware'
    | 'timeoutMs'
    | 'maxRetries'
    | 'failFast'
    | 'maxResultChars'
    | 'resultStore'
    | 'texts'
  > {
  /** For messages and logs, and for finding its runs in the store. @default 'agent' */
  readonly name?: string
  readonly model: ModelAdapter
  /** The system prompt. */
  readonly instructions?: string
  /** Tools, toolkits and sources, or a function that gives them for each run. Absent: plain question and answer. */
  readonly tools?: readonly ToolInput<Deps>[] | ToolFactory<Deps>
  /** Instead of `tools`: a registry, followed as it changes. */
  readonly toolRegistry?: ToolRegistry
  /**
   * Picks the tools that the model is offered among many, for what the person says: a `ToolRetriever`. The agent has
   * its tools too. Others of its `tools` are always offered.
   */
  readonly toolRetriever?: ToolPicker
  readonly limits?: RunLimits
  /** Given to tools as `context.deps`. Never sent to the model and never stored. */
  readonly deps?: Deps
  /** Keeps a yes for longer than once. Absent: every call is asked about. */
  readonly grants?: Grants
  /**
   * Keeps runs, so that a reload or another tab can go on with them. Only with a store does a call that changes
   * something run at most once: without one, whoever resumes a state twice runs its calls twice.
   */
  readonly store?: RunStore
  /** Whether a tool that failed too often is closed for the rest of the run, or ends it. @default 'close' */
  readonly onExhausted?: 'close' | 'throw'
  /** `finalAnswer(schema)`: the run ends with an answer that fits it; the result has it as `output`. */
  readonly output?: Tool
  /** What becomes of the other calls in a message with the final answer. @default 'graceful' */
  readonly endStrategy?: EndStrategy
  /**
   * Whether a call may start while the model still writes its message: one that the provider itself has closed, of a
   * parallel-safe tool with the declared effect `none`, which nobody has to be asked about. It passes the same gates;
   * when the message then breaks off or is cut off, it has its result all the same. Not with `failFast` or the end
   * strategy `early`. @default false
   */
  readonly eagerStart?: boolean
  /**
   * Told of every event of every run, at once and in order, whether or not anybody reads its stream. One that throws
   * is reported to the app's own error handling, and the run goes on.
   */
  readonly observers?: readonly ((event: AgentEvent) => void)[]
}

const optionNames = [
  ...['name', 'model', 'instructions', 'toolRegistry', 'toolRetriever', 'limits', 'deps', 'store'],
  ...['onExhausted', 'output', 'endStrategy', 'eagerStart', 'observers'],
  ...sharedOptionNames,
]

/** Throws a {@link ToolRegistrationError} for options that cannot work. */
export function checkAgentOptions(
  options: Omit<AgentOptions, 'deps' | 'tools'> & { readonly tools?: unknown },
  where: string,
): void {
  checkOptions(options, optionNames, where)
  if (typeof options.model?.stream !== 'function') {
    throw new ToolRegistrationError(`${where}: there is no model. Pass one with a stream() method.`)
  }
  if (options.tools !== undefined && options.toolRegistry !== undefined) {
    throw new ToolRegistrationError(`${where}: pass tools or toolRegistry, not both.`)
  }
  if (options.toolRegistry !== undefined && typeof options.toolRegistry.toolset !== 'function') {
    throw new ToolRegistrationError(
      `${where}: toolRegistry is not a ToolRegistry. A list of tools goes into tools.`,
    )
  }
  if (options.toolRetriever !== undefined && !hasMethods(options.toolRetriever, 'pick', 'known')) {
    throw new ToolRegistrationError(`${where}, toolRetriever: expected new ToolRetriever(source).`)
  }
  checkChoice(options.onExhausted, ['close', 'throw'], `${where}, onExhausted`)
  checkChoice(options.endStrategy, ['early', 'graceful', 'exhaustive'], `${where}, endStrategy`)
  if (options.output !== undefined && !(isTool(options.output) && options.output.name === outputToolName)) {
    throw new ToolRegistrationError(`${where}, output: wrap the schema, finalAnswer(schema).`)
  }
  if (options.endStrategy !== undefined && options.output === undefined) {
    throw new ToolRegistrationError(`${where}: endStrategy needs output, the schema of the final answer.`)
  }
  if (options.store !== undefined && options.store['~keeper'] === undefined) {
    throw new ToolRegistrationError(
      `${where}, store: pass what indexedDBRunStore(), memoryRunStore() or runStore() gives, or a spread of it.`,
    )
  }
  if (options.eagerStart && (options.failFast || options.endStrategy === 'early')) {
    throw new ToolRegistrationError(
      `${where}: eagerStart does not go with failFast or endStrategy "early", which stop what it starts.`,
    )
  }
  const { observers = [] } = options
  if (!Array.isArray(observers) || observers.some((observer) => typeof observer !== 'function')) {
    throw new ToolRegistrationError(`${where}, observers: expected a list of functions.`)
  }
  checkCount(options.maxRetries, 0, `${where}, maxRetries`)
  checkLimits(options.limits, where)
}

function checkChoice(value: unknown, known: readonly string[], where: string): void {
  if (value === undefined || known.includes(value as string)) return
  throw new ToolRegistrationError(`${where}: expected one of ${known.join(', ')}.`)
}

/** What chooses among the tools of an agent: its retriever, and what its own tools search with. */
export function pickersOf<Deps>({
  toolRetriever,
  tools,
  toolRegistry,
}: AgentOptions<Deps>): readonly ToolPicker[] {
  const own: readonly object[] = toolRegistry?.list() ?? (Array.isArray(tools) ? tools : [])
  const searched = own
    .flatMap((item) => (isToolkit(item) ? item.tools : item))
    .map((tool) => searchOf(tool)?.picker)
  return [...new Set([toolRetriever, ...searched])].filter((picker) => picker !== undefined)
}

/** The executor behind an agent. */
export function agentExecutor<Deps>(
  options: AgentOptions<Deps>,
  pickers: readonly ToolPicker[],
  where: string,
): ToolExecutor {
  const { confirm, grants, permissions, middleware, timeoutMs, maxRetries, failFast, texts } = options
  const { output, limits, maxResultChars, resultStore, policy, trustedHosts } = options
  const own = sourcesOf(options, where)
  // What stands in both lists is the same tools.
  const others = pickers.flatMap(({ tools }) => tools).filter((item) => !own.includes(item))
  const all = [...own, ...new Set(others)]
  return new ToolExecutor(
    defined({
      ...{ confirm, grants, permissions, middleware, timeoutMs, maxRetries, failFast, texts },
      ...{ policy, trustedHosts },
      tools: output === undefined ? all : [...all, output],
      maxCallsPerStep: limits?.maxCallsPerStep,
      ...{ maxResultChars, resultStore },
      alwaysPermitted: output,
    }),
  )
}

function sourcesOf<Deps>(
  { tools, toolRegistry }: AgentOptions<Deps>,
  where: string,
): readonly ToolInput<never>[] {
  if (toolRegistry !== undefined) return [toolRegistry.toolset()]
  if (typeof tools === 'function') return [factorySource(tools as ToolFactory)]
  if (tools !== undefined && !Array.isArray(tools)) {
    throw new ToolRegistrationError(
      `${where}: tools must be a list, tools: [ … ], or a function that gives one.`,
    )
  }
  return (tools ?? []) as readonly ToolInput<never>[]
}
