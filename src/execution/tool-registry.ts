import { type OpenAISchemaOptions, openaiSchema } from '../schema-dialects/openai-schema.ts'
import { checkOptions } from '../tool/check-options.ts'
import { defined } from '../tool/defined.ts'
import { describeBriefly, describeTools, type OpenAITool } from '../tool/describe-tools.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { type ModelTexts, modelTextsEn } from '../tool/model-texts.ts'
import type { RunContext } from '../tool/run-context.ts'
import type { StandardSchema } from '../tool/standard-schema.ts'
import { throwLater } from '../tool/throw-later.ts'
import { type InputOf, isTool, type Tool, tool } from '../tool/tool.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import { mayHaveYes, originOf, stampReplacement, trustOf } from '../tool/tool-origin.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import { localTools } from '../toolset/local-tools.ts'
import type { ToolSource } from '../toolset/tool-source.ts'
import type { Toolkit } from '../toolset/toolkit.ts'
import type { ExecuteOptions } from './execute-options.ts'
import type { ToolExecutorOptions } from './executor-options.ts'
import {
  planRegistration,
  type RegisterAllOptions,
  type RegisterAllReport,
  type ToolLike,
} from './plan-registration.ts'
import { isSameOwner } from './same-owner.ts'
import { ToolExecutor } from './tool-executor.ts'

/** How {@link ToolRegistry.register} treats a name that is taken. */
export interface RegisterOptions {
  /** Whether a tool of this name is replaced. Never replaces one of a more trusted origin. @default false */
  readonly overwrite?: boolean
  /** Who registers, for example `import.meta.url`: the same owner replaces its own tool (hot reload). */
  readonly owner?: string
}

/** A tool that any registry may hold, whatever its input and deps. */
export type AnyTool = Tool<unknown, never, string, unknown>

/** What {@link ToolRegistry.executeTool} takes beside the call. */
export type ExecuteToolOptions = ExecuteOptions &
  Pick<ToolExecutorOptions, 'middleware' | 'timeoutMs' | 'onEvent'>

// An object and not a list: a new option that is missing here does not compile.
const executeToolOptions: Readonly<Record<keyof ExecuteToolOptions, true>> = {
  ...{ signal: true, deps: true, confirm: true, permissions: true, runId: true, step: true },
  ...{ middleware: true, timeoutMs: true, onEvent: true },
}

interface Entry {
  readonly tool: Tool
  readonly owner: string | undefined
}

/**
 * A named store of tools in this realm.
 *
 * @example
 * const registry = new ToolRegistry()
 * registry.register(getWeather)
 * const result = await registry.executeTool('get_weather', { city: 'Oslo' })
 */
export class ToolRegistry {
  readonly #entries = new Map<string, Entry>()
  readonly #listeners = new Set<() => void>()
  readonly #texts: ModelTexts
  #toolset: ToolSource | undefined
  #list: readonly Tool[] | undefined

  constructor(options: { readonly texts?: Partial<ModelTexts> } = {}) {
    checkOptions(options, ['texts'], 'new ToolRegistry()')
    this.#texts = { ...modelTextsEn, ...options.texts }
  }

  /**
   * Adds a tool and returns the way to remove it again.
   *
   * @throws {@link ToolRegistrationError} when the name is taken, naming both origins.
   */
  register(tool: AnyTool, options: RegisterOptions = {}): () => void {
    const added = tool as Tool
    if (!isTool(added)) {
      throw new ToolRegistrationError(
        'register(): not a tool. Make one with tool({ … }), or extend Tool and give it an execute method. ' +
          'Several tools at once go into registerAll([ … ]).',
      )
    }
    checkOptions(options, ['overwrite', 'owner'], `register(), tool "${added.name}"`)
    const taken = this.#entries.get(added.name)
    if (taken !== undefined) checkReplacement(taken, added, options)
    const entry = { tool: added, owner: options.owner }
    this.#put(entry)
    this.#changed()
    return () => {
      // Somebody may have replaced the tool since.
      if (this.#entries.get(added.name) !== entry) return
      this.#entries.delete(added.name)
      this.#changed()
    }
  }

  /**
   * Adds many tools; also takes the plain options of `tool()`, so that one bad definition can be set aside.
   * With `onConflict: 'error'` (the default) either all are added or none.
   *
   * @throws {@link ToolRegistrationError} as the two options say, and when a tool would replace one of a
   * more trusted origin.
   */
  registerAll(
    tools: Toolkit<never> | readonly ToolLike[],
    options: RegisterAllOptions = {},
  ): RegisterAllReport {
    const { additions, report } = planRegistration(tools, (name) => this.#entries.get(name), options)
    for (const added of additions) {
      this.#put({ tool: added, owner: options.owner })
    }
    if (additions.length > 0) this.#changed()
    return report
  }

  /**
   * Adds a function as a tool. `inputSchema` is any accepted schema, for example `parameters([ … ])`.
   *
   * @throws {@link ToolRegistrationError} as {@link register} and `tool()` do.
   */
  registerFunction<Schema extends StandardSchema<unknown, unknown> | undefined = undefined>(
    execute: (input: InputOf<Schema>, context: RunContext) => unknown,
    name: string,
    description: string,
    inputSchema?: Schema,
  ): () => void {
    if (Array.isArray(inputSchema)) {
      throw new ToolRegistrationError(`tool "${name}": wrap the list of parameters as parameters([ … ]).`)
    }
    return this.register(
      tool({ name, description, ...(inputSchema === undefined ? {} : { inputSchema }), execute }),
    )
  }

  /** The tool of a name. */
  get(name: string): Tool | undefined {
    return this.#entries.get(name)?.tool
  }

  /** All tools, in the order in which their names were first added. The same list until that changes. */
  list(): readonly Tool[] {
    this.#list ??= Object.freeze(Array.from(this.#entries.values(), (entry) => entry.tool))
    return this.#list
  }

  /** One `- name: description` line for each tool. */
  catalog(): string {
    const lines = this.list().map(({ definition }) => describeBriefly(definition))
    return lines.length === 0 ? this.#texts.noTools : lines.join('\n')
  }

  /** The catalog with one line for each parameter, for `names` in the given order; unknown names are skipped. */
  toolsDescription(names?: readonly string[]): string {
    return describeTools(this.#select(names), this.#texts)
  }

  /**
   * The tools as OpenAI's chat completions take them ({@link forOpenAI}), for `names` in the given order; unknown names
   * are skipped. What calls are checked against does not change, and null for what is absent is understood. A tool that
   * cannot be sent is left out; `describePortability` says why.
   *
   * @throws {@link ToolRegistrationError} for tools that cannot be sent, with `onInvalid: 'throw'`.
   */
  toOpenAISchema(names?: readonly string[], options: OpenAISchemaOptions = {}): readonly OpenAITool[] {
    return openaiSchema(this.#select(names), options, 'toOpenAISchema()')
  }

  /** Runs one tool through the whole gate, outside any run. */
  async executeTool(
    name: string,
    input: unknown = {},
    options: ExecuteToolOptions = {},
  ): Promise<ToolResult> {
    checkOptions(options, Object.keys(executeToolOptions), 'executeTool()')
    const { middleware, timeoutMs, onEvent, ...each } = options
    const executor = new ToolExecutor(
      defined({ tools: this.toolset(), texts: this.#texts, middleware, timeoutMs, onEvent }),
    )
    return executor.execute({ name, input }, each)
  }

  /** The registry as a source that follows its changes: the same tools without a worker. Each time the same one. */
  toolset(): ToolSource {
    this.#toolset ??= localTools(
      (name) => this.get(name),
      () => this.list(),
      (listener) => {
        this.#listeners.add(listener)
        return () => this.#listeners.delete(listener)
      },
    )
    return this.#toolset
  }

  #put(entry: Entry): void {
    const { tool } = entry
    const taken = this.#entries.get(tool.name)
    // A yes that was given to the other one is not for this one.
    if (taken !== undefined && taken.tool !== tool && mayHaveYes(taken.tool)) stampReplacement(tool)
    this.#entries.set(tool.name, entry)
  }

  #select(names: readonly string[] | undefined): readonly ToolDefinition[] {
    if (names === undefined) return this.list().map((tool) => tool.definition)
    if (!Array.isArray(names)) {
      throw new ToolRegistrationError('Names of tools must be a list, for example ["get_weather"].')
    }
    return [...new Set(names)].flatMap((name) => this.get(name)?.definition ?? [])
  }

  #changed(): void {
    this.#list = undefined
    for (const listener of this.#listeners) {
      try {
        listener()
      } catch (error) {
        // The tool is registered all the same; the error still reaches the app's error handling.
        throwLater(error)
      }
    }
  }
}

function checkReplacement(taken: Entry, added: Tool, options: RegisterOptions): void {
  const [older, newer] = [originOf(taken.tool), originOf(added)]
  if (trustOf(newer) < trustOf(older)) {
    throw new ToolRegistrationError(
      `A tool of origin "${newer}" cannot replace "${added.name}" of origin "${older}". Give it another name, or unregister the other one first.`,
    )
  }
  if (options.overwrite === true || isSameOwner(options.owner, taken.owner)) return
  throw new ToolRegistrationError(
    `A tool named "${added.name}" is registered already (origin "${older}"; the new one has origin "${newer}"). ` +
      'Rename one of them, pass { overwrite: true }, or give both the same owner for hot reload.',
  )
}
