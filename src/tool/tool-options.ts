import { checkMilliseconds, checkOptions } from './check-options.ts'
import { defined } from './defined.ts'
import { ToolRegistrationError } from './errors.ts'
import { copyJsonObject, deepFreeze, firstIssue, type JsonObject } from './json-value.ts'
import { optionRules, readLabels } from './option-rules.ts'
import type { RunContext } from './run-context.ts'
import type { SchemaPair } from './schema.ts'
import type { StandardSchema } from './standard-schema.ts'
import type { StepContext } from './step-context.ts'
import type { Effect, ToolDefinition } from './tool-definition.ts'
import { checkToolName } from './tool-name.ts'
import { splitUserFields } from './user-fields.ts'

/** What `prepare` may give back: a changed copy, or null to hide the tool in this step. */
export type PreparedDefinition = ToolDefinition | null

/** What a tool is made from, apart from its body. */
export interface ToolOptions<Input = unknown, Deps = unknown, Name extends string = string> {
  /** 1 to 64 letters, digits, `_` or `-`. */
  readonly name: Name
  /** What the tool does and when to use it, for the model. */
  readonly description: string
  /** Valibot, a Standard Schema with Standard JSON Schema, `jsonSchema()` or `parameters()`. Absent: no parameters. */
  readonly inputSchema?: StandardSchema<unknown, Input> | undefined
  /** Checked against `data` of each response that has data. */
  readonly outputSchema?: StandardSchema
  /** May run beside other calls; such a tool keeps no state between calls. @default false */
  readonly parallelSafe?: boolean
  /** Calls whose keys are equal run one after the other, in call order. Needs `parallelSafe`. */
  concurrencyKey?(input: Input): string
  /** Whether a person is asked first. A function that throws or is silent for 2 s means yes. @default false */
  readonly needsApproval?: boolean | ((input: Input, context: RunContext<Deps>) => boolean | Promise<boolean>)
  /** Runs after the schema and before anyone is asked. May throw `ApprovalRequired`, `ModelRetry` or `ToolFailed`. */
  check?(input: Input, context: RunContext<Deps>): void | Promise<void>
  /** Deadline of one call in milliseconds, counted from its start. @default the agent's `timeoutMs` */
  readonly timeoutMs?: number
  /** How often the model may try again after a failure, before the tool is closed for the run. @default the agent's */
  readonly maxRetries?: number
  /** How many calls may run in one run. @default no limit */
  readonly maxCallsPerRun?: number
  /**
   * Longer texts of its results are cut to their ends, in characters, at least 1,000. May be more than the agent's;
   * Infinity: no limit. @default the agent's `maxResultChars`
   */
  readonly maxResultChars?: number
  /**
   * Top-level fields of the input that a person fills in, or all of them. The model neither sees nor sets them;
   * the person gets a form with the schema's defaults filled in.
   */
  readonly userFields?: readonly string[] | 'all'
  /** Changes the definition for one step, or hides the tool with null. It gets a frozen one and returns a changed copy. */
  prepare?(
    definition: ToolDefinition,
    context: StepContext<Deps>,
  ): PreparedDefinition | Promise<PreparedDefinition>
  /** What a model must be capable of to be offered the tool, in the words of its adapter. */
  readonly requires?: readonly string[]
  /** Of the tools of one group, a model is offered only the first that it may use. */
  readonly exclusiveGroup?: string
  /** What a call changes. @default 'local' */
  readonly effect?: Effect | ((input: Input) => Effect)
  /** Whether the input leaves the page, or to which hosts. @default false */
  readonly egress?: boolean | readonly string[] | ((input: Input) => boolean | readonly string[])
  /** Whether results may hold private data. @default 'public' */
  readonly reads?: 'public' | 'private' | ((input: Input) => 'public' | 'private')
  /** Whether results are text that is not to be trusted. @default false */
  readonly externalContent?: boolean | ((input: Input) => boolean)
  /**
   * What a person might say who needs the tool, for finding it among many; never sent to a model. A few help most
   * where people name things otherwise than the description does.
   */
  readonly examples?: readonly string[]
  /** Part of the fingerprint: change it when the tool does something else under the same schema. */
  readonly version?: string
  /** For the app; never sent to a model. */
  readonly metadata?: JsonObject
}

const optionNames = [
  ...['name', 'description', 'inputSchema', 'outputSchema', 'timeoutMs'],
  ...optionRules.map(([name]) => name),
]

/** What other libraries call our options. */
function meantOption(name: string): string | undefined {
  if (/^(param|input|args|schema)/.test(name)) return 'inputSchema'
  return /confirm/i.test(name) ? 'needsApproval' : undefined
}

/** The name in the options for messages, in quotes. */
export function shownName(options: unknown): string {
  const { name } = Object(options)
  return typeof name === 'string' ? `"${name.slice(0, 80)}"` : '(without a name)'
}

/** Throws a {@link ToolRegistrationError} for anything in the options that does not need the schema to tell. */
export function checkToolOptions(options: ToolOptions, where: string): void {
  checkOptions(options, optionNames, where, meantOption)
  checkToolName(options.name, where)
  if (typeof options.description !== 'string' || options.description.trim() === '') {
    throw new ToolRegistrationError(
      `${where}: the description is empty. Say what the tool does and when to use it.`,
    )
  }
  if (options.concurrencyKey !== undefined && options.parallelSafe !== true) {
    throw new ToolRegistrationError(
      `${where}: concurrencyKey needs parallelSafe: true; without it a tool runs alone.`,
    )
  }
  checkMilliseconds(options.timeoutMs, 'timeoutMs', where)
  for (const [name, { accepts, expected }] of optionRules) {
    const value: unknown = options[name]
    if (value === undefined || accepts(value)) continue
    throw new ToolRegistrationError(`${where}: ${name} must be ${expected}, got ${shownValue(value)}.`)
  }
}

function shownValue(value: unknown): string {
  return typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value))
}

/** The cloneable part of a tool, frozen. */
export function makeDefinition(
  options: ToolOptions,
  input: SchemaPair,
  output: SchemaPair | undefined,
  where: string,
): ToolDefinition {
  const { name, description, parallelSafe = false, needsApproval = false } = options
  const { timeoutMs, maxRetries, maxCallsPerRun, maxResultChars } = options
  const { requires, exclusiveGroup, examples, version } = options
  const metadata = copyJsonObject(options.metadata ?? {})
  if (metadata.issues !== undefined) {
    throw new ToolRegistrationError(`${where}: metadata must be JSON: ${firstIssue(metadata.issues)}.`)
  }
  return deepFreeze(
    defined({
      name,
      description,
      ...splitUserFields(input.jsonSchema, options.userFields, where),
      outputSchema: output?.jsonSchema,
      parallelSafe,
      needsApproval: typeof needsApproval === 'function' ? ('by-input' as const) : needsApproval,
      labels: readLabels(options),
      ...{ timeoutMs, maxRetries, maxCallsPerRun, maxResultChars, exclusiveGroup, version },
      requires: requires && [...requires],
      examples: examples && [...examples],
      metadata: options.metadata && metadata.value,
    }),
  )
}
