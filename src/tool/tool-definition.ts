import type { JsonObject } from './json-value.ts'

/** What a call changes: nothing, this app's own state, something outside, or something that cannot be undone. */
export type Effect = 'none' | 'local' | 'external' | 'destructive'

/** What a call does to the world, as values: carried with the definition, and decided per input. */
export interface ToolLabels {
  /** @default 'local'; `none` must be declared */
  readonly effect: Effect
  /** Whether the call sends its input off the page, or the hosts it sends it to. @default false */
  readonly egress: boolean | readonly string[]
  /** Whether the result may hold private data. @default 'public' */
  readonly reads: 'public' | 'private'
  /** Whether the result is text that is not to be trusted. @default false */
  readonly externalContent: boolean
}

/** The labels of a definition: a value each, or `by-input` where the tool decides it per call. */
export type DefinitionLabels = { readonly [Key in keyof ToolLabels]: ToolLabels[Key] | 'by-input' }

/**
 * The part of a tool that can be cloned and stored. A model sees `name`, `description` and `inputSchema`;
 * the rest is for the gate and the app. Frozen.
 */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema 2020-12 with an object at its root. */
  readonly inputSchema: JsonObject
  /** JSON Schema of `data`, when the tool declares one. */
  readonly outputSchema?: JsonObject
  readonly parallelSafe: boolean
  readonly needsApproval: boolean | 'by-input'
  readonly labels: DefinitionLabels
  /** Deadline of one call in milliseconds, when the tool sets one. */
  readonly timeoutMs?: number
  /** How often the model may try again after a failure, when the tool says. */
  readonly maxRetries?: number
  /** How many of its calls may run in one run, when the tool says. */
  readonly maxCallsPerRun?: number
  /** How long a text of its results may be, in characters, when the tool says. */
  readonly maxResultChars?: number
  /** JSON Schema of the fields that a person fills in. They are not part of `inputSchema`. */
  readonly userFields?: JsonObject
  /** What a model must be capable of to be offered the tool. */
  readonly requires?: readonly string[]
  /** Of the tools of one group, a model is offered only the first that it may use. */
  readonly exclusiveGroup?: string
  /** Whether the tool has no body here: its calls are answered elsewhere, later. */
  readonly external?: boolean
  /** What a person might say who needs the tool; never sent to a model. */
  readonly examples?: readonly string[]
  readonly version?: string
  /** For the app; never sent to a model. */
  readonly metadata?: JsonObject
}
