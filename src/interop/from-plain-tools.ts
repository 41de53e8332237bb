import { ToolRegistrationError } from '../tool/errors.ts'
import type { JsonObject } from '../tool/json-value.ts'
import type { RunContext } from '../tool/run-context.ts'
import { type Tool, tool } from '../tool/tool.ts'
import { isRecord } from '../tool/value-kinds.ts'
import type { ToolSource } from '../toolset/tool-source.ts'
import {
  checkForeignOptions,
  type ForeignOptions,
  foreignSource,
  foreignTraits,
  readForeignSchema,
} from './foreign-tools.ts'

/** A tool in the shape that many libraries share. */
export interface PlainTool {
  readonly name: string
  readonly description?: string
  /** A Standard Schema (zod, Valibot, ArkType …) or a JSON Schema with an object at its root. @default no parameters */
  readonly inputSchema?: unknown
  /** Called as a method, with the checked input; `context.signal` aborts when the call is to stop. */
  execute(input: never, context: RunContext): unknown
}

const where = 'fromPlainTools()'

/**
 * Tools made for another library, or by hand, as a source of ours, under the origin `foreign:{name}`.
 *
 * @throws {@link ToolRegistrationError} that names the tool, for one that cannot be used, and for an option that cannot
 * be.
 * @example
 * const agent = new Agent({ model, tools: [fromPlainTools(theirTools, { name: 'crm' })], confirm: confirmDialog() })
 */
export function fromPlainTools(tools: readonly PlainTool[], options: ForeignOptions): ToolSource {
  checkForeignOptions(options, where)
  if (!Array.isArray(tools)) {
    throw new ToolRegistrationError(
      `${where}: expected a list of { name, description, inputSchema, execute }.`,
    )
  }
  const made = (tools as readonly PlainTool[]).map((plain, index) => readPlainTool(plain, index, options))
  return foreignSource(made, options, where)
}

function readPlainTool(plain: PlainTool, index: number, options: ForeignOptions): Tool {
  if (!isRecord(plain) || typeof plain.execute !== 'function') {
    throw new ToolRegistrationError(
      `${where}, tools[${index}]: expected { name, description, inputSchema, execute }.`,
    )
  }
  const { name, description } = plain
  return tool({
    name,
    description: description || name,
    inputSchema: readForeignSchema(plain.inputSchema, `${where}, "${name}"`),
    ...foreignTraits(options),
    // Of its own object, as its author expects; and as it is now, should it be replaced there.
    execute: (input: JsonObject, context) => plain.execute(input as never, context),
  }) as Tool
}
