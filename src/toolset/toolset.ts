import type { CallOutcome, Preflight } from '../tool/call-outcome.ts'
import { defined } from '../tool/defined.ts'
import type { StepContext } from '../tool/step-context.ts'
import type { MaybePromise } from '../tool/when-done.ts'
import { type ApprovalRule, approvalRequired } from './approval-required.ts'
import { filtered } from './filtered.ts'
import { gather, type ToolInput } from './gather.ts'
import { labelled, type ToolsetLabels } from './labelled.ts'
import type { ListedTool } from './listed-tool.ts'
import { prefixed } from './prefixed.ts'
import type { PrepareDefinition } from './prepare-definition.ts'
import { prepared } from './prepared.ts'
import { renamed } from './renamed.ts'
import { sourceForRun, sourceForStep } from './source-instance.ts'
import type { ToolMiddleware } from './tool-middleware.ts'
import type { ToolSelector } from './tool-selector.ts'
import { isToolSource, type SourceCallOptions, type SourceNote, type ToolSource } from './tool-source.ts'
import { wrapped } from './wrapped.ts'

/**
 * The wrappers with dots: each method gives a new toolset over this one. What a method does is said at the function
 * of the same name.
 *
 * @example new Toolset([readFile, deleteFile]).approvalRequired('delete_file').prefixed('files')
 */
export class Toolset implements ToolSource {
  readonly #source: ToolSource
  declare readonly label?: string
  declare readonly conflictHint?: string

  constructor(tools: ToolSource | readonly ToolInput<never>[]) {
    const source = isToolSource(tools) ? tools : gather(tools, 'new Toolset()')
    const { label, conflictHint } = source
    this.#source = source
    Object.assign(this, defined({ label, conflictHint }))
  }

  prefixed(prefix: string): Toolset {
    return new Toolset(prefixed(this.#source, prefix))
  }

  renamed(oldNames: Readonly<Record<string, string>>): Toolset {
    return new Toolset(renamed(this.#source, oldNames))
  }

  filtered<Deps = unknown>(selector: ToolSelector<string, Deps>): Toolset {
    return new Toolset(filtered(this.#source, selector))
  }

  prepared<Deps = unknown>(prepare: PrepareDefinition<Deps>): Toolset {
    return new Toolset(prepared(this.#source, prepare))
  }

  approvalRequired<Deps = unknown>(
    selector?: ToolSelector<string, Deps>,
    when?: ApprovalRule<Deps>,
  ): Toolset {
    return new Toolset(approvalRequired(this.#source, selector, when))
  }

  labelled<Deps = unknown>(labels: ToolsetLabels, selector?: ToolSelector<string, Deps>): Toolset {
    return new Toolset(labelled(this.#source, labels, selector))
  }

  wrapped(...middleware: readonly ToolMiddleware[]): Toolset {
    return new Toolset(wrapped(this.#source, ...middleware))
  }

  get reportsStart(): boolean {
    return this.#source.reportsStart ?? false
  }

  get dynamic(): boolean {
    return this.#source.dynamic ?? false
  }

  list(): Promise<readonly ListedTool[]> {
    return this.#source.list()
  }

  preflight(name: string, input: unknown, options?: SourceCallOptions): MaybePromise<Preflight> {
    return this.#source.preflight(name, input, options)
  }

  call(name: string, input: unknown, options?: SourceCallOptions): Promise<CallOutcome> {
    return this.#source.call(name, input, options)
  }

  async forRun(context: StepContext): Promise<ToolSource> {
    return this.#made(await sourceForRun(this.#source, context))
  }

  async forStep(context: StepContext): Promise<ToolSource> {
    return this.#made(await sourceForStep(this.#source, context))
  }

  notes(): readonly SourceNote[] {
    return this.#source.notes?.() ?? []
  }

  subscribe(listener: () => void): () => void {
    return this.#source.subscribe?.(listener) ?? (() => {})
  }

  async close(): Promise<void> {
    await this.#source.close?.()
  }

  // Whoever gets another source than this one closes it.
  #made(source: ToolSource): ToolSource {
    return source === this.#source ? this : source
  }
}
