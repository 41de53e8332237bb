import { hasMethods } from './value-kinds.ts'

/**
 * The part of Standard Schema (https://standardschema.dev, version 1) and of its JSON Schema companion
 * that is read here. Valibot, zod 4, ArkType and others carry it under the key `~standard`.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    /** Standard JSON Schema; Valibot's schemas do not carry it, they are converted by their own package. */
    readonly jsonSchema?:
      | {
          readonly input: (options: {
            readonly target: 'draft-2020-12'
            readonly libraryOptions?: Record<string, unknown> | undefined
          }) => Record<string, unknown>
        }
      | undefined
  }
}

/** What `validate` gives: a value, or issues. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: unknown }[] }

/** Whether a value is a schema of any library. ArkType's are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  return hasMethods(Object(value)['~standard'], 'validate')
}
