import { deepFreeze, type JsonObject } from '../tool/json-value.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'

/**
 * Standard Schema with Standard JSON Schema (https://standardschema.dev), as other loops read it: AI SDK, TanStack AI and
 * OpenAI Agents.
 */
export interface HostSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'offstage'
    readonly types?: { readonly input: Output; readonly output: Output }
    validate(value: unknown): HostValidation<Output> | Promise<HostValidation<Output>>
    readonly jsonSchema: {
      /** Always the tool's own JSON Schema, whatever `target` is asked for. A copy: a host may change it. */
      input(options?: object): JsonObject
      output(options?: object): JsonObject
    }
  }
}

/** What a check gives. */
export type HostValidation<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly PropertyKey[] }[] }

/** By this AI SDK knows a schema of its own. Of any other it closes all objects before a model sees them. */
const ownMark = Symbol.for('vercel.ai.schema')

/** A schema with a check of its own. */
export function hostSchema<Output>(
  jsonSchema: JsonObject,
  validate: HostSchema<Output>['~standard']['validate'],
): HostSchema<Output> {
  const own = deepFreeze(structuredClone(jsonSchema))
  const copy = () => structuredClone(own)
  const standard = {
    version: 1,
    vendor: 'offstage',
    validate,
    jsonSchema: Object.freeze({ input: copy, output: copy }),
  }
  const asAISDK = {
    [ownMark]: true,
    get jsonSchema() {
      return copy()
    },
    validate: async (value: unknown) => {
      const checked = await validate(value)
      if (checked.issues === undefined) return { success: true, value: checked.value }
      return { success: false, error: new Error(checked.issues.map(({ message }) => message).join('; ')) }
    },
  }
  return Object.freeze(
    Object.defineProperty(asAISDK, '~standard', { value: Object.freeze(standard), enumerable: true }),
  ) as unknown as HostSchema<Output>
}

/**
 * The schema of a tool whose calls come back to our gate. It lets everything through: the gate reads what a model sent
 * with more patience, and tells the model what is wrong in words.
 */
export function uncheckedSchema({ inputSchema }: ToolDefinition): HostSchema {
  return hostSchema(inputSchema, (value) => ({ value }))
}
