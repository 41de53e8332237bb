import {
  type ExecuteOptions,
  sharedOptionNames,
  ToolExecutor,
  type ToolExecutorOptions,
} from '../execution/tool-executor.ts'
import type { ToolRegistry } from '../execution/tool-registry.ts'
import type { ToolResult } from '../execution/tool-result.ts'
import { linkedAbort } from '../tool/abort.ts'
import { checkOptions } from '../tool/check-options.ts'
import { defined } from '../tool/defined.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { randomId } from '../tool/random-id.ts'
import type { ToolInput } from '../toolset/gather.ts'
import { EventQueue } from './event-queue.ts'
import { checkLimits, type RunLimits } from './limits.ts'
import type { Message } from './message.ts'
import type { ModelAdapter } from './model-adapter.ts'
import { runLoop } from './run-loop.ts'
import type { AgentEvent, RunResult } from './run-result.ts'

/** What an agent is made of. */
export interface AgentOptions<Deps = unknown>
  extends Pick<
    ToolExecutorOptions,
    'confirm' | 'permissions' | 'middleware' | 'timeoutMs' | 'failFast' | 'texts'
  > {
  /** For messages and logs. @default 'agent' */
  readonly name?: string
  readonly model: ModelAdapter
  /** The system prompt. */
  readonly instructions?: string
  /** Tools, toolkits and sources. Absent: plain question and answer. */
  readonly tools?: readonly ToolInput<Deps>[]
  /** Instead of `tools`: a registry, followed as it changes. */
  readonly toolRegistry?: ToolRegistry
  readonly limits?: RunLimits
  /** Given to tools as `context.deps`. Never sent to the model and never stored. */
  readonly deps?: Deps
}

/** What differs from run to run. */
export interface RunOptions<Deps = unknown> {
  /** The conversation so far, as an earlier run returned it. */
  readonly messages?: readonly Message[]
  /** Aborting it ends the run: every open call gets its result and nothing keeps running. */
  readonly signal?: AbortSignal
  /** Replaces the agent's own. */
  readonly deps?: Deps
}

const optionNames = [
  ...['name', 'model', 'instructions', 'toolRegistry', 'limits', 'deps'],
  ...sharedOptionNames,
]

/**
 * A model with tools behind the gate. `stream` yields what happens, `run` waits for the end; both are the
 * same loop.
 *
 * @throws {@link ToolRegistrationError} from the constructor for options that cannot work.
 * @example
 * const agent = new Agent({ model, tools: [getWeather, workerTools], confirm: confirmDialog() })
 * const { finalOutput } = await agent.run('Do I need an umbrella in Oslo?')
 */
export class Agent<Deps = unknown> {
  readonly name: string
  readonly #options: AgentOptions<Deps>
  readonly #executor: ToolExecutor

  constructor(options: AgentOptions<Deps>) {
    const where = `agent "${options?.name ?? 'agent'}"`
    checkAgentOptions(options, where)
    this.name = options.name ?? 'agent'
    this.#options = options
    const { confirm, permissions, middleware, timeoutMs, failFast, texts, limits } = options
    const maxCallsPerStep = limits?.maxCallsPerStep
    const tools = options.toolRegistry?.toolset() ?? options.tools ?? []
    this.#executor = new ToolExecutor(
      defined({ tools, confirm, permissions, middleware, timeoutMs, failFast, texts, maxCallsPerStep }),
    )
  }

  /**
   * Runs to the end and gives the result.
   *
   * @throws {@link RunError} with the result so far: named `AbortError` when the signal aborted, `RunError`
   * when the model failed. What happens to calls never rejects.
   */
  async run(input: string, options: RunOptions<Deps> = {}): Promise<RunResult> {
    let result: RunResult | undefined
    for await (const event of this.stream(input, options)) {
      if (event.type === 'done') result = event.result
    }
    // The stream throws or ends with `done`.
    return result as RunResult
  }

  /**
   * Runs and yields events, the last one `done`. The run starts with the first `next()`; leaving the loop
   * early aborts it.
   *
   * @throws {@link RunError} from the iterator, as {@link run}.
   */
  async *stream(input: string, options: RunOptions<Deps> = {}): AsyncGenerator<AgentEvent, void> {
    checkOptions(options, ['messages', 'signal', 'deps'], `${this.name}.stream()`)
    const queue = new EventQueue<AgentEvent>()
    const linked = linkedAbort(options.signal)
    const { model, instructions, limits = {}, deps } = this.#options
    linked.startDeadline(limits.deadlineMs ?? Number.POSITIVE_INFINITY, "the run's deadline")
    const running = runLoop({
      runId: randomId('run'),
      model,
      instructions,
      executor: this.#executor,
      limits,
      messages: [...(options.messages ?? []), { role: 'user', text: input }],
      deps: options.deps ?? deps,
      signal: linked.signal,
      deadlinePassed: linked.deadlinePassed,
      emit: (event) => queue.push(event),
    })
    const end = () => queue.end()
    const ended = running.then(end, end)
    try {
      yield* queue.drain()
      await running
    } finally {
      linked.abort(new DOMException('the run is over', 'AbortError'))
      linked.release()
      await ended
    }
  }

  /** Runs one tool through the agent's gate, outside any run. `permissions` can only narrow the agent's own. */
  executeTool(name: string, input: unknown = {}, options: ExecuteOptions = {}): Promise<ToolResult> {
    return this.#executor.execute({ name, input }, { deps: this.#options.deps, ...options })
  }
}

function checkAgentOptions(
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
  checkLimits(options.limits, where)
}
