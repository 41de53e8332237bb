import { checkMilliseconds, checkOptions } from './check-options.ts'
import { ToolRegistrationError } from './errors.ts'
import { copyJson, deepFreeze, type JsonObject } from './json-value.ts'
import { optionRules } from './option-rules.ts'
import type { RunContext } from './run-context.ts'
import type { SchemaPair } from './schema.ts'
import type { StandardSchema } from './standard-schema.ts'
import type { DefinitionLabels, Effect, ToolDefinition } from './tool-definition.ts'
import { checkToolName } from './tool-name.ts'

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
  /** What a call changes. @default 'local' */
  readonly effect?: Effect | ((input: Input) => Effect)
  /** Whether the input leaves the page, or to which hosts. @default false */
  readonly egress?: boolean | readonly string[] | ((input: Input) => boolean | readonly string[])
  /** Whether results may hold private data. @default 'public' */
  readonly reads?: 'public' | 'private' | ((input: Input) => 'public' | 'private')
  /** Whether results are text that is not to be trusted. @default false */
  readonly externalContent?: boolean | ((input: Input) => boolean)
  /** Part of the fingerprint: change it when the tool does something else under the same schema. */
  readonly version?: string
  /** For the app; never sent to a model. */
  readonly metadata?: JsonObject
}

const optionNames = [
  ...[
    'name',
    'description',
    'inputSchema',
    'outputSchema',
    'parallelSafe',
    'concurrencyKey',
    'needsApproval',
  ],
  ...['check', 'timeoutMs', 'effect', 'egress', 'reads', 'externalContent', 'version', 'metadata'],
]

/** What other libraries call our options. */
const otherNames = new Map([
  ...['parameters', 'input', 'args', 'schema', 'params'].map((name) => [name, 'inputSchema'] as const),
  ...['requiresConfirmation', 'confirm', 'needsConfirmation'].map((name) => [name, 'needsApproval'] as const),
])

/** The name in the options for messages, in quotes. */
export function shownName(options: unknown): string {
  const name = typeof options === 'object' && options !== null && 'name' in options ? options.name : undefined
  return typeof name === 'string' ? `"${name.slice(0, 80)}"` : '(without a name)'
}

/** Throws a {@link ToolRegistrationError} for anything in the options that does not need the schema to tell. */
export function checkToolOptions(options: ToolOptions, where: string): void {
  checkOptions(options, optionNames, where, otherNames)
  checkToolName(options.name, where)
  if (typeof options.description !== 'string' || options.description.trim() === '') {
    throw new ToolRegistrationError(
      `${where}: the description is empty. Say in a sentence what the tool does and when to use it.`,
    )
  }
  if (options.concurrencyKey !== undefined && options.parallelSafe !== true) {
    throw new ToolRegistrationError(
      `${where}: concurrencyKey needs parallelSafe: true; a tool without it already runs alone.`,
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
  const metadata = options.metadata === undefined ? undefined : copyJson(options.metadata)
  if (metadata?.issues !== undefined) {
    const [issue] = metadata.issues
    throw new ToolRegistrationError(
      `${where}: metadata must be JSON: at "${issue?.path}": ${issue?.message}.`,
    )
  }
  return deepFreeze({
    name: options.name,
    description: options.description,
    inputSchema: input.jsonSchema,
    ...(output === undefined ? {} : { outputSchema: output.jsonSchema }),
    parallelSafe: options.parallelSafe ?? false,
    needsApproval:
      typeof options.needsApproval === 'function' ? 'by-input' : (options.needsApproval ?? false),
    labels: definitionLabels(options),
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    ...(options.version === undefined ? {} : { version: options.version }),
    ...(metadata === undefined ? {} : { metadata: metadata.value as JsonObject }),
  })
}

function definitionLabels(options: ToolOptions): DefinitionLabels {
  const { effect, egress, reads, externalContent } = options
  return {
    effect: typeof effect === 'function' ? 'by-input' : (effect ?? 'local'),
    egress: typeof egress === 'function' ? 'by-input' : copyOf(egress ?? false),
    reads: typeof reads === 'function' ? 'by-input' : (reads ?? 'public'),
    externalContent: typeof externalContent === 'function' ? 'by-input' : (externalContent ?? false),
  }
}

// The definition is frozen, and the app's own list must not be.
function copyOf(egress: boolean | readonly string[]): boolean | readonly string[] {
  return typeof egress === 'boolean' ? egress : [...egress]
}
