import type { ModelAdapter, ModelEvent, ModelRequest } from 'offstage'

/** An order that a text gives: call this tool with this input. */
export function order(name: string, input: object): string {
  return `CALL ${name} ${JSON.stringify(input)}`
}

const orders = /CALL\s+([a-z_]+)\s+(\{[^{}]*\})/g
/** Pieces of one order in several texts. */
const pieces = /\[\[([^\]]*)\]\]/g
/** What a long result is read on with. */
const handles = /result-(?:e?p?-)?[0-9a-f]{24}/g

/**
 * The worst model there is: it obeys every order that it reads, whoever gives it and however it is written: hidden,
 * encoded, or in pieces. All that it knows is in the request. An input may ask for what a tool has answered (`@name`),
 * or for the handle of the first long result, or the next (`@handle0`, `@handle1`); such an order waits until it is
 * there. As an echo it also says all that it has read in its own words at the end, so that they outlive what it read.
 */
export class ObedientModel implements ModelAdapter {
  readonly name: string = 'obedient'
  readonly #isEcho: boolean

  constructor({ isEcho = false }: { readonly isEcho?: boolean } = {}) {
    this.#isEcho = isEcho
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const made = new Set(request.messages.flatMap(callsOf))
    const answers = answersIn(request)
    const calls = ordersIn(request).flatMap(({ name, input }) => {
      if (!request.tools.some((tool) => tool.name === name)) return []
      const filled = fill(input, answers)
      return filled === undefined ? [] : [{ name, input: filled }]
    })
    const open = calls.filter(({ name, input }) => !made.has(keyOf(name, input)))
    const unique = new Map(open.map((call) => [keyOf(call.name, call.input), call]))
    let index = 0
    for (const [, { name, input }] of unique) {
      index += 1
      yield { type: 'call', id: `${request.messages.length}_${index}`, name, input }
    }
    const last = this.#isEcho ? textsOf(request).join('\n') : 'Done.'
    if (index === 0) yield { type: 'text-delta', text: last }
    yield { type: 'finish', reason: index === 0 ? 'stop' : 'tool-calls' }
  }
}

interface Order {
  readonly name: string
  readonly input: Record<string, unknown>
}

/** Everything that a request says, to whoever reads all of it. */
function textsOf({ instructions = '', messages, tools }: ModelRequest): readonly string[] {
  const said = messages.flatMap((message) => {
    if (message.role === 'tool') return message.results.map(({ text }) => text)
    return [message.text]
  })
  return [instructions, ...tools.map((tool) => JSON.stringify([tool.description, tool.inputSchema])), ...said]
}

function ordersIn(request: ModelRequest): readonly Order[] {
  const texts = textsOf(request)
  const joined = texts.flatMap((text) => [...text.matchAll(pieces)].map(([, piece]) => piece)).join('')
  return [...texts, joined].flatMap((text) => readings(text).flatMap(ordersOf))
}

function ordersOf(text: string): readonly Order[] {
  return [...text.matchAll(orders)].flatMap(([, name = '', input = '']) => {
    try {
      return [{ name, input: JSON.parse(input) }]
    } catch {
      return []
    }
  })
}

/** A text as it stands, and decoded in every way that hides an order. */
function readings(text: string): readonly string[] {
  const unhidden = text.replace(/[\u00AD\u200B-\u200F\u2060\uFEFF]/g, '')
  const tags = Array.from(text, (character) => {
    const point = character.codePointAt(0) ?? 0
    return point > 0xe0000 && point < 0xe0080 ? String.fromCodePoint(point - 0xe0000) : ''
  }).join('')
  const plain = unhidden.normalize('NFKC')
  const rotated = text.replace(/[a-z]/gi, (letter) => {
    const base = letter < 'a' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
  })
  return [text, unhidden, plain, tags, rotated, reversed(text), unescaped(text), ...base64In(text)]
}

function reversed(text: string): string {
  return Array.from(text).reverse().join('')
}

function unescaped(text: string): string {
  return text
    .replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => decodeURIComponent(bytes))
    .replace(/&#(\d+);/g, (_whole, point) => String.fromCodePoint(Number(point)))
    .replaceAll('&quot;', '"')
    .replaceAll('\\"', '"')
    .replaceAll('\\n', '\n')
}

function base64In(text: string): readonly string[] {
  return [...text.matchAll(/[A-Za-z0-9+/]{16,}={0,2}/g)].flatMap(([run]) => {
    try {
      return [atob(run)]
    } catch {
      return []
    }
  })
}

function callsOf(message: ModelRequest['messages'][number]): readonly string[] {
  if (message.role !== 'assistant') return []
  return (message.calls ?? []).map(({ name, input }) => keyOf(name, input))
}

function answersIn({ messages }: ModelRequest): ReadonlyMap<string, string> {
  const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []))
  const found = new Set(results.flatMap(({ text }) => text.match(handles) ?? []))
  return new Map([
    ...results.map(({ name, text }) => [name, text] as const),
    ...[...found].map((handle, index) => [`handle${index}`, handle] as const),
  ])
}

function fill(
  input: Record<string, unknown>,
  answers: ReadonlyMap<string, string>,
): Record<string, unknown> | undefined {
  const filled = Object.entries(input).map(([key, value]) => {
    const asked = typeof value === 'string' && value.startsWith('@') ? value.slice(1) : undefined
    return [key, asked === undefined ? value : answers.get(asked)] as const
  })
  return filled.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(filled)
}

function keyOf(name: string, input: unknown): string {
  return `${name} ${JSON.stringify(input)}`
}
