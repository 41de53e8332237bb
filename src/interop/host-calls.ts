import type { FilePart } from '../agent/message.ts'
import { readParts, seenOf } from '../agent/result-parts.ts'
import type { StepOptions } from '../execution/execute-options.ts'
import { RunTaint } from '../execution/run-taint.ts'
import type { OpenedBefore } from '../execution/step-call.ts'
import { noTaint } from '../execution/taint.ts'
import { ToolExecutor } from '../execution/tool-executor.ts'
import { defined } from '../tool/defined.ts'
import { type ModelTexts, modelTextsEn } from '../tool/model-texts.ts'
import type { PendingCall } from '../tool/pending-call.ts'
import { randomId } from '../tool/random-id.ts'
import { ToolResponse } from '../tool/tool-response.ts'
import type { CallRequest, ToolResult } from '../tool/tool-result.ts'
import { gather } from '../toolset/gather.ts'
import { itemsOf, type ToolsGiven } from '../toolset/items-of.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import type { ToolSource } from '../toolset/tool-source.ts'
import { type HostExecutorOptions, whoAsks } from './host-options.ts'
import { HostQuestions } from './host-questions.ts'
import { inTurn } from './in-turn.ts'

/** What differs from call to call. */
export type HostCallOptions = Pick<StepOptions, 'signal' | 'deps' | 'onEvent'>

/** A result as a model is to see it, and all of it for the app. */
export interface HostResult {
  readonly result: ToolResult
  /** Whether the tool did what it was asked. */
  readonly isOk: boolean
  readonly text: string
  /** Images and files for the model: base64, or an address. */
  readonly parts: readonly FilePart[]
}

/**
 * The calls of somebody else's loop, through our gate. All calls count as one run that never ends: what one of them
 * has read makes the next one suspect, whoever writes it.
 */
export class HostCalls {
  readonly source: ToolSource
  readonly #executor: ToolExecutor
  readonly #texts: ModelTexts
  readonly #asks: 'dialog' | 'host'
  readonly #questions = new HostQuestions()
  readonly #taint = new RunTaint({ ...noTaint, doubted: [] })
  readonly #runId = randomId('host')
  #step = 0

  /** @param where - How messages call what was given the options. */
  constructor(
    tools: ToolsGiven,
    { approval = 'dialog', confirm, ...options }: HostExecutorOptions,
    where: string,
  ) {
    this.source = gather(itemsOf(tools), where)
    this.#asks = approval
    this.#texts = { ...modelTextsEn, ...options.texts }
    this.#executor = new ToolExecutor({
      ...options,
      confirm: whoAsks(approval, confirm),
      tools: inTurn(this.source),
      // What is kept of a long result is read with a further tool, and a host takes none while it runs.
      maxResultChars: Number.POSITIVE_INFINITY,
    })
  }

  /** The tools that the host may be offered now. */
  async list(): Promise<readonly ListedTool[]> {
    const listed = await this.#executor.list()
    this.#taint.offer(listed)
    return listed
  }

  /**
   * Whether the host has to ask before it makes this call, and what; the host's own id of the call is its `providerId`.
   * Undefined where the page asks itself, and for what only the page can ask, since no host would show it: a tool that has
   * changed, a yes to more than the input, fields of the person.
   */
  async ask(request: CallRequest): Promise<PendingCall | undefined> {
    if (this.#asks !== 'host') return undefined
    const question = await this.#executor.question({ id: randomId('call'), request }, this.#shared())
    if (question === undefined || !isShownByInput(question)) return undefined
    // A host asks again before it runs what was approved: the yes was to what was asked first.
    const before = this.#questions.find(request)
    if (before === undefined) this.#questions.add(request, question)
    return before ?? question
  }

  /** Runs a call. Never rejects for what the host or its model sent. */
  async call(request: CallRequest, options: HostCallOptions = {}): Promise<HostResult> {
    this.#step += 1
    const step = this.#step
    const opened = this.#approved(request)
    const [ended] = await this.#executor.runStep([defined({ request, opened })], {
      ...options,
      ...this.#shared(),
    })
    const result = answered(ended as ToolResult, this.#texts)
    this.#taint.take([result], step)
    await readParts([result], this.#texts, new AbortController().signal)
    const { text, parts = [] } = seenOf(result.response)
    return { result, isOk: result.outcome === 'success' || result.outcome === 'partial', text, parts }
  }

  /** Releases what the source holds. */
  close(): Promise<void> {
    return this.#executor.close()
  }

  #shared(): Pick<StepOptions, 'runId' | 'step' | 'taint'> {
    return { runId: this.#runId, step: this.#step, taint: this.#taint }
  }

  #approved(request: CallRequest): OpenedBefore | undefined {
    const pending = this.#questions.take(request)
    return pending && { id: pending.callId, pending, answer: { approved: true } }
  }
}

/** Whether who is shown the tool and its input knows what the yes is to. */
function isShownByInput({ kind, change, boundTo }: PendingCall): boolean {
  return kind === 'approval' && change === undefined && boundTo === undefined
}

/** A question that is left open when the host has the call made already: nobody will answer it. */
function answered(result: ToolResult, texts: ModelTexts): ToolResult {
  if (result.outcome !== 'deferred') return result
  const { pending: _open, ...rest } = result
  return { ...rest, outcome: 'denied', response: ToolResponse.error(texts.nobodyToAsk(result.call.name)) }
}
