import type { StepOptions } from '../execution/execute-options.ts'
import type { ToolExecutorOptions } from '../execution/executor-options.ts'
import { RunTaint } from '../execution/run-taint.ts'
import { noTaint } from '../execution/taint.ts'
import { ToolExecutor } from '../execution/tool-executor.ts'
import { randomId } from '../tool/random-id.ts'
import type { CallRequest, ToolResult } from '../tool/tool-result.ts'
import { gather } from '../toolset/gather.ts'
import { itemsOf, type ToolsGiven } from '../toolset/items-of.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import type { ToolSource } from '../toolset/tool-source.ts'
import type { HostExecutorOptions } from './host-options.ts'
import { inTurn } from './in-turn.ts'

/** What differs from call to call. */
export type HostCallOptions = Pick<StepOptions, 'signal' | 'deps' | 'onEvent'>

/**
 * The calls of somebody else's loop, through our gate. All calls count as one run that never ends: what one of them
 * has read makes the next one suspect, whoever writes it.
 */
export class HostCalls {
  readonly source: ToolSource
  readonly #executor: ToolExecutor
  readonly #taint = new RunTaint({ ...noTaint, doubted: [] })
  readonly #runId = randomId('host')
  #step = 0

  /** @param where - How messages call what was given the options. */
  constructor(
    tools: ToolsGiven,
    options: HostExecutorOptions & Pick<ToolExecutorOptions, 'confirm'>,
    where: string,
  ) {
    this.source = gather(itemsOf(tools), where)
    // What is kept of a long result is read with a further tool, and a host takes none while it runs.
    const maxResultChars = Number.POSITIVE_INFINITY
    this.#executor = new ToolExecutor({ maxResultChars, ...options, tools: inTurn(this.source) })
  }

  /** The tools that the host may be offered now. */
  async list(): Promise<readonly ListedTool[]> {
    const listed = await this.#executor.list()
    this.#taint.offer(listed)
    return listed
  }

  /** Runs a call. Never rejects for what the host or its model sent. */
  async call(request: CallRequest, options: HostCallOptions = {}): Promise<ToolResult> {
    this.#step += 1
    const step = this.#step
    const shared = { runId: this.#runId, step, taint: this.#taint }
    const [result] = await this.#executor.runStep([{ request }], { ...options, ...shared })
    this.#taint.take([result as ToolResult], step)
    return result as ToolResult
  }

  /** Releases what the source holds. */
  close(): Promise<void> {
    return this.#executor.close()
  }
}
