import { type AgentEvent, type JsonObject, jsonSchema, type Tool, tool } from 'offstage'

/** A tool with a text to be found by, which answers with its name. */
export function described(
  name: string,
  description: string,
  options: {
    readonly examples?: readonly string[]
    readonly inputSchema?: JsonObject
    readonly ran?: string[]
  } = {},
): Tool {
  const { examples = [], inputSchema = { type: 'object', properties: {} }, ran = [] } = options
  return tool({
    name,
    description,
    examples,
    inputSchema: jsonSchema(inputSchema),
    parallelSafe: true,
    effect: 'none',
    execute: () => {
      ran.push(name)
      return `${name} ran`
    },
  }) as unknown as Tool
}

/** Tools that have nothing to do with each other. */
export function office(ran: string[] = []): Tool[] {
  const texts = {
    send_email: 'Sends an email to a person.',
    create_invoice: 'Creates an invoice for a customer.',
    delete_invoice: 'Deletes an invoice for good.',
    book_room: 'Books a meeting room.',
    get_weather: 'Reads the weather forecast of a city.',
    convert_currency: 'Converts money from one currency to another.',
    translate_text: 'Translates a text into another language.',
    list_birthdays: 'Lists the birthdays of colleagues.',
    print_document: 'Prints a document on the office printer.',
    order_lunch: 'Orders lunch from the canteen.',
  }
  return Object.entries(texts).map(([name, text]) => described(name, text, { ran }))
}

type StepStart = Extract<AgentEvent, { type: 'step-start' }>

/** Of each step, what was offered and why: `name why`. */
export function whyOf(events: readonly AgentEvent[]): string[][] {
  return events
    .filter((event): event is StepStart => event.type === 'step-start')
    .map(({ picked = [] }) => picked.map(({ name, why }) => `${name} ${why}`))
}
