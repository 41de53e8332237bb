import { type JsonObject, jsonSchema, type Tool, Toolkit, tool } from 'offstage'
import { answers } from './answers.ts'
import { chineseFields, chineseServices, chineseVerbs } from './chinese-services.ts'
import { capital, plural, snake, withArticle } from './english-words.ts'
import { everydayServices } from './everyday-services.ts'
import { fields } from './fields.ts'
import { officeServices } from './office-services.ts'
import type { Service, Thing } from './service.ts'
import { shopServices } from './shop-services.ts'
import { type Verb, verbs } from './verbs.ts'

/** How a language puts a tool into words. */
interface Wording {
  readonly verbs: Readonly<Record<string, Verb>>
  readonly fields: Readonly<Record<string, string>>
  one(thing: Thing): string
  many(thing: Thing): string
  is(thing: Thing): string
  id(thing: Thing): string
}

const english: Wording = {
  verbs,
  fields,
  one: ({ word }) => withArticle(word),
  many: ({ word }) => plural(word),
  is: ({ word, is }) => ` ${capital(withArticle(word))} is ${is}.`,
  id: ({ word }) => `Which ${word}: its id.`,
}

const chinese: Wording = {
  verbs: chineseVerbs,
  fields: chineseFields,
  one: ({ word }) => word,
  many: ({ word }) => word,
  is: ({ word, is }) => `${word}：${is}。`,
  id: ({ word }) => `${word}的编号`,
}

/** 500 tools of 25 servers that do not exist. The same at each call. */
export function makeCatalogue(): Toolkit[] {
  return [
    ...[...officeServices, ...shopServices, ...everydayServices].map((service) => server(service, english)),
    ...chineseServices.map((service) => server(service, chinese)),
  ]
}

function server(service: Service, wording: Wording): Toolkit {
  const tools = service.things.flatMap((thing) =>
    thing.verbs.map((verb) => madeUpTool(service, thing, verb, wording)),
  )
  return new Toolkit({ name: service.name, tools, prefix: true })
}

function madeUpTool({ name, place }: Service, thing: Thing, verbWord: string, wording: Wording): Tool {
  const verb = wording.verbs[verbWord]
  if (verb === undefined) throw new Error(`${name}: there is no verb "${verbWord}" in the table.`)
  const isOfMany = verb.takes === 'list' || verb.takes === 'search'
  const word = thing.englishWord ?? (isOfMany ? plural(thing.word) : thing.word)
  const toolName = `${verbWord}_${snake(word)}`
  const says = verb.says
    .replace('{one}', wording.one(thing))
    .replace('{many}', wording.many(thing))
    .replace('{place}', place)
  return tool({
    name: toolName,
    description: says + wording.is(thing),
    inputSchema: jsonSchema(inputSchema(thing, verb, wording)),
    effect: 'none',
    execute: (input) => answers[`${name}_${toolName}`]?.(input) ?? 'Done, if this tool were not made up.',
  })
}

function inputSchema(thing: Thing, { takes }: Verb, wording: Wording): JsonObject {
  const id = {
    [`${snake(thing.englishWord ?? thing.word)}_id`]: { type: 'string', description: wording.id(thing) },
  }
  const parts = Object.fromEntries(thing.fields.map((field) => [field, parameter(field, wording)]))
  const limit = { limit: parameter('limit', wording) }
  const properties = {
    one: id,
    new: parts,
    change: { ...id, ...parts },
    list: limit,
    search: { query: parameter('query', wording), ...limit },
  }[takes]
  const required = takes === 'list' ? [] : Object.keys(properties).slice(0, 1)
  return { type: 'object', properties, required, additionalProperties: false }
}

/** The fields that are whole numbers; the others are text. */
const numbers = new Set([
  'amount',
  'count',
  'days',
  'limit',
  'memory',
  'minutes',
  'percent',
  'seats',
  'weight',
])

function parameter(field: string, { fields }: Wording): JsonObject {
  const description = fields[field]
  if (description === undefined) throw new Error(`There is no field "${field}" in the table.`)
  return { type: numbers.has(field) ? 'integer' : 'string', description }
}
