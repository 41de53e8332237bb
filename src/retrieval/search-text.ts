import { asList, isRecord } from '../tool/value-kinds.ts'
import type { TextPart } from './ranking-parameters.ts'
import type { IndexedTool } from './searchable-index.ts'

/** The text of a tool that a query is compared with, by its parts. */
export type SearchText = Readonly<Record<TextPart, readonly string[]>>

/** A description that is longer was written for the ranking, or tells more than a choice of tools needs. In characters. */
const maxDescription = 4_000
const maxParameterText = 1_000
const maxChoices = 24
const maxChoiceLength = 60
const maxExamples = 20
const maxDepth = 8
const maxSchemas = 400

/**
 * What of a tool is searched: its name without its namespace, its namespace, its description, and of its input the names,
 * descriptions and choices, also those inside objects, lists and alternatives. Long texts are cut.
 */
export function searchText({ definition, namespace = '' }: IndexedTool): SearchText {
  const { name, description, inputSchema, examples = [] } = definition
  const parameters = new ParameterTexts()
  parameters.read(inputSchema, 0)
  return {
    name: [withoutNamespace(name, namespace)],
    namespace: [namespace],
    description: [description.slice(0, maxDescription)],
    parameterNames: parameters.names,
    parameterTexts: parameters.texts,
    choices: parameters.choices,
    examples: examples.slice(0, maxExamples).map((example) => example.slice(0, maxParameterText)),
  }
}

/** The name as it was before the namespace was put in front of it; the name itself where none was. */
export function withoutNamespace(name: string, namespace: string): string {
  const start = plain(name).startsWith(plain(namespace)) ? name.slice(namespace.length) : name
  const rest = start.replace(/^[_.:/-]+/, '')
  return namespace === '' || rest === '' || rest === start ? name : rest
}

// A namespace and its form in a name may differ in signs.
function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '_')
}

class ParameterTexts {
  readonly names: string[] = []
  readonly texts: string[] = []
  readonly choices: string[] = []
  #schemas = 0

  read(schema: unknown, depth: number): void {
    if (!isRecord(schema) || depth > maxDepth) return
    this.#schemas += 1
    if (this.#schemas > maxSchemas) return
    // The root's own description is rarely more than the tool's once more.
    if (depth > 0 && typeof schema.description === 'string') {
      this.texts.push(schema.description.slice(0, maxParameterText))
    }
    this.#readChoices(schema)
    for (const keyword of namedSchemas) this.#readNamed(schema[keyword], depth, keyword === 'properties')
    for (const keyword of innerSchemas) this.read(schema[keyword], depth + 1)
    for (const keyword of schemaLists) for (const each of asList(schema[keyword])) this.read(each, depth + 1)
  }

  #readNamed(schemas: unknown, depth: number, isNamed: boolean): void {
    if (!isRecord(schemas)) return
    for (const [name, schema] of Object.entries(schemas)) {
      if (this.#schemas > maxSchemas) return
      if (isNamed) this.names.push(name)
      this.read(schema, depth + 1)
    }
  }

  #readChoices(schema: Readonly<Record<string, unknown>>): void {
    for (const choice of [...asList(schema.enum).slice(0, maxChoices), schema.const]) {
      if (typeof choice === 'string' && choice.length <= maxChoiceLength) this.choices.push(choice)
    }
  }
}

const namedSchemas = ['properties', '$defs', 'definitions'] as const
const innerSchemas = ['items', 'additionalProperties'] as const
const schemaLists = ['prefixItems', 'anyOf', 'oneOf', 'allOf'] as const
