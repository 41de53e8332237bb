import { ToolRegistrationError } from './errors.ts'
import type { RunContext } from './run-context.ts'
import { readInputSchema, readSchema, type SchemaPair } from './schema.ts'
import type { StandardSchema } from './standard-schema.ts'
import type { ToolDefinition } from './tool-definition.ts'
import { checkToolOptions, makeDefinition, shownName, type ToolOptions } from './tool-options.ts'
import { isRecord } from './value-kinds.ts'

/**
 * What the executor side of the library needs of a tool; not for apps.
 *
 * @internal
 */
export interface ToolInternals {
  readonly options: ToolOptions
  readonly input: SchemaPair
  readonly output: SchemaPair | undefined
}

/**
 * A function that a model may call. Usually made with {@link tool}; extend it for a tool with state.
 *
 * @throws {@link ToolRegistrationError} from the constructor, with the tool's name and the path, when the
 * name, the schema or an option is wrong.
 * @example
 * class Counter extends Tool<{ by: number }> {
 *   #count = 0
 *   constructor() {
 *     super({ name: 'count', description: 'Count up.', inputSchema: v.object({ by: v.number() }) })
 *   }
 *   execute({ by }: { by: number }): number {
 *     this.#count += by
 *     return this.#count
 *   }
 * }
 */
export abstract class Tool<
  Input = unknown,
  Deps = unknown,
  Name extends string = string,
  WireInput = unknown,
> {
  readonly definition: ToolDefinition
  /** @internal */
  readonly '~internals': ToolInternals
  /** Never set: carries the types to `WorkerToolset` and the agent. */
  declare readonly '~types'?: {
    readonly name: Name
    readonly wire: WireInput
    readonly deps: (deps: Deps) => void
  }

  constructor(options: ToolOptions<Input, Deps, Name>) {
    const where = `tool ${shownName(options)}`
    // From here on the functions in the options get whatever the schema gives, which is an Input.
    const anyOptions = options as unknown as ToolOptions
    checkToolOptions(anyOptions, where)
    const input = readInputSchema(options.inputSchema, where)
    const output = options.outputSchema && readSchema(options.outputSchema, `${where}, outputSchema`)
    this.definition = makeDefinition(anyOptions, input, output, where)
    this['~internals'] = { options: anyOptions, input, output }
  }

  get name(): Name {
    return this.definition.name as Name
  }

  /**
   * Does the work. Return text, any JSON value or a `ToolResponse`; an async generator reports progress
   * with each `yield`, and its last value is the result. Throw `ModelRetry` to have the model try again.
   */
  abstract execute(input: Input, context: RunContext<Deps>): unknown
}

/** The options of {@link tool}: those of a tool, and its body. */
export type FunctionToolOptions<Schema, Input, Deps, Name extends string> = Omit<
  ToolOptions<Input, Deps, Name>,
  'inputSchema'
> & {
  readonly inputSchema?: Schema
  /** See {@link Tool.execute}. */
  execute(input: Input, context: RunContext<Deps>): unknown
}

/** The parsed input that a schema gives; a tool without a schema gets an empty object. */
export type InputOf<Schema> = [Schema] extends [StandardSchema<unknown, infer Output>]
  ? Output
  : Record<string, never>

/** What a caller may send to a schema. */
export type WireInputOf<Schema> = [Schema] extends [StandardSchema<infer Input, unknown>]
  ? Input
  : Record<string, never>

/**
 * Makes a tool from a schema and a function; the input's type comes from the schema.
 *
 * @throws {@link ToolRegistrationError} with the tool's name and the path, when anything is wrong with it.
 * @example
 * const toUpper = tool({
 *   name: 'to_upper',
 *   description: 'Uppercase a string.',
 *   inputSchema: v.object({ text: v.string() }),
 *   parallelSafe: true,
 *   execute: ({ text }) => text.toUpperCase(),
 * })
 */
export function tool<
  const Name extends string,
  Schema extends StandardSchema<unknown, unknown> | undefined = undefined,
  Deps = unknown,
>(
  options: FunctionToolOptions<Schema, InputOf<Schema>, Deps, Name>,
): Tool<InputOf<Schema>, Deps, Name, WireInputOf<Schema>> {
  return new FunctionTool(options)
}

class FunctionTool<Schema, Deps, Name extends string> extends Tool<
  InputOf<Schema>,
  Deps,
  Name,
  WireInputOf<Schema>
> {
  readonly #options: FunctionToolOptions<Schema, InputOf<Schema>, Deps, Name>

  constructor(options: FunctionToolOptions<Schema, InputOf<Schema>, Deps, Name>) {
    const { execute, ...rest } = options ?? {}
    if (typeof execute !== 'function') {
      throw new ToolRegistrationError(
        `tool ${shownName(options)}: there is no execute function. Add execute: (input, context) => …`,
      )
    }
    super(rest as ToolOptions<InputOf<Schema>, Deps, Name>)
    this.#options = options
  }

  override execute(input: InputOf<Schema>, context: RunContext<Deps>): unknown {
    // As a method of the options, so that `this` works there as the author expects.
    return this.#options.execute(input, context)
  }
}

/** Whether a value is a tool, made by this or another copy of the library. */
export function isTool(value: unknown): value is Tool {
  return isRecord(value) && '~internals' in value && 'execute' in value
}
