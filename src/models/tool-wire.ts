import type { ModelEvent } from '../agent/model-adapter.ts'
import type { DialectTexts } from '../schema-dialects/dialect-texts.ts'
import {
  anthropicLoose,
  anthropicStrict,
  geminiJson,
  openaiLoose,
  openaiStrict,
} from '../schema-dialects/dialects.ts'
import { projectTools } from '../schema-dialects/project-tools.ts'
import {
  type PortableDefinition,
  type Projection,
  project,
  type WireTool,
} from '../schema-dialects/projection.ts'
import { parseJson } from '../tool/arguments/parse-json.ts'
import type { JsonObject, JsonValue } from '../tool/json-value.ts'
import { once } from '../tool/once.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import { isRecord } from '../tool/value-kinds.ts'

/** Whose rules tools are written by. */
export type ToolDialect = 'openai' | 'anthropic' | 'gemini'

/** How tools are written. */
export interface ToolWireOptions {
  readonly dialect: ToolDialect
  readonly strict: boolean
  readonly texts: Partial<DialectTexts> | undefined
  readonly maxDescriptionChars: number | undefined
  readonly onSetAside: ((tool: SetAsideTool) => void) | undefined
}

/** A tool that a provider cannot be sent, and why. */
export interface SetAsideTool {
  readonly name: string
  readonly reason: string
}

/** The tools of a request as they are sent, and the way there and back. */
export interface ToolWire {
  readonly tools: readonly WireTool[]
  /** The name of a call in the history: of a tool, or one that the model made up. */
  wireName(name: string): string
  /** The input of a call in the history. */
  wireInput(name: string, input: JsonObject): JsonObject
  /** What the model says, with the names and keys of the tools. */
  read(event: ModelEvent): ModelEvent
}

const dialects = {
  openai: { loose: openaiLoose, strict: openaiStrict },
  anthropic: { loose: anthropicLoose, strict: anthropicStrict },
  gemini: { loose: geminiJson, strict: undefined },
}

/** Writes lists of tools. What it made of a definition, and of a list, it keeps as long as that lives. */
export function toolWires(options: ToolWireOptions): (tools: readonly ToolDefinition[]) => ToolWire {
  const { loose, strict } = dialects[options.dialect]
  const rules = { loose, ...(options.strict && strict !== undefined && { strict }) }
  const { texts, maxDescriptionChars } = options
  const more = {
    ...(texts !== undefined && { texts }),
    ...(maxDescriptionChars !== undefined && { maxDescriptionChars }),
  }
  const plain = once((definition: PortableDefinition) => project(definition, rules, more))
  const named = (definition: PortableDefinition, given?: { readonly name?: string }): Projection<WireTool> =>
    given?.name === undefined ? plain(definition) : project(definition, rules, { ...more, ...given })
  return once((tools: readonly ToolDefinition[]) => toolWire(tools, named, options))
}

function toolWire(
  definitions: readonly ToolDefinition[],
  projectOne: (definition: PortableDefinition) => Projection<WireTool>,
  { onSetAside }: ToolWireOptions,
): ToolWire {
  const { tools, setAside, wireName, byName, byWireName } = projectTools(definitions, projectOne)
  for (const tool of setAside) onSetAside?.(tool)
  return {
    tools,
    wireName: (name) => wireName(name) ?? plainName(name),
    wireInput: (name, input) => {
      const projection = byName(name)?.projection
      return projection?.changesInput ? projection.encode(input) : input
    },
    read: (event) => {
      if (event.type !== 'call' && event.type !== 'call-input-delta') return event
      const found = byWireName(event.name)
      if (found === undefined) return event
      const { toolName: name, projection } = found
      if (event.type === 'call-input-delta') return name === event.name ? event : { ...event, name }
      if (!projection.changesInput) return name === event.name ? event : { ...event, name }
      return { ...event, name, input: decoded(event.input, projection) }
    },
  }
}

// The model may have made it up; providers refuse other names (the same rule as for tools).
function plainName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || '_'
}

/** What is no JSON of one object stays as it came, for those who mend arguments. */
function decoded(input: unknown, { decode }: Projection<WireTool>): unknown {
  if (typeof input !== 'string') return isRecord(input) ? decode(input as JsonObject) : input
  try {
    const { value, mark } = parseJson(input)
    if (!isRecord(value)) return input
    const text = JSON.stringify(decode(value as Record<string, JsonValue>))
    // Long integers with all their digits.
    return mark === undefined ? text : text.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1')
  } catch {
    return input
  }
}
