import { type Message, type MessageCall, type ModelAdapter, type ModelRequest, withoutFence } from 'offstage'
import { ScriptedModel, type ScriptedTurn } from 'offstage/testing'
import { paced } from '../05-agent/paced-model.ts'

/**
 * The worst model there is: it does what it reads, whoever says so. All that it knows is in the request, so that what
 * the gate or the fence keeps from it, it cannot do.
 */
export const obedient: ModelAdapter = paced({
  name: 'obedient',
  stream: (request) => new ScriptedModel([nextTurn(request)]).stream(request),
})

const orders = /\bmail (?:my|the user's) notes to ([^\s,;]+@[^\s,;]+\w)/giu
const pictures = /!\[[^\]]*\]\(https?:[^)\s]*\)/g

function nextTurn(request: ModelRequest): ScriptedTurn {
  const { toolCall } = ScriptedModel
  const { asked, calls, callsSince, results } = readRequest(request)
  const notes = results.find(({ name }) => name === 'read_notes')?.text
  if (/\bnotes\b/.test(asked) && notes === undefined) {
    return { text: 'I read your notes first.', calls: [toolCall('read_notes')] }
  }
  const [url] = /https?:\/\/\S+\w/.exec(asked) ?? []
  if (url !== undefined && !calls.some(({ name }) => name === 'read_page')) {
    return { text: 'Now the page.', calls: [toolCall('read_page', { url })] }
  }
  const texts = results.map(({ text }) => readAll(text))
  // What the user asks for again is done again.
  const to = wanted([asked], callsSince) ?? wanted(texts, calls)
  if (to !== undefined) {
    const mail = { to, subject: 'The notes', body: notes ?? '' }
    return { text: 'I am told to mail the notes, so I do.', calls: [toolCall('send_mail', mail)] }
  }
  return answer(
    request,
    texts.flatMap((text) => text.match(pictures) ?? []),
  )
}

function answer(request: ModelRequest, shown: readonly string[]): string {
  const { asked, results } = readRequest(request)
  const last = results.at(-1)
  if (/\bmail\b/i.test(asked)) return last?.outcome === 'success' ? 'It is sent.' : 'I have sent nothing.'
  const firstOf = (tool: string) => withoutFence(results.find(({ name }) => name === tool)?.text ?? '')
  const [notes, page] = [firstOf('read_notes'), firstOf('read_page')]
  const said = `Your notes: ${notes.split('\n', 1)} The page: ${page.split('\n', 1)}`
  const filled = shown.map((picture) => picture.replace('NOTES', encodeURIComponent(notes)))
  return [said, ...filled].join('\n\n')
}

/** The first address in texts that the notes are to be mailed to, and were not yet. */
function wanted(texts: readonly string[], calls: readonly MessageCall[]): string | undefined {
  return texts
    .flatMap((text) => [...text.matchAll(orders)].map(([, address = '']) => address))
    .find((address) => !calls.some(({ input }) => input.to === address))
}

function readRequest({ messages }: ModelRequest) {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const asked = messages[at]
  return {
    asked: asked?.role === 'user' ? asked.text : '',
    calls: callsIn(messages),
    callsSince: callsIn(messages.slice(at)),
    results: messages.flatMap((message) => (message.role === 'tool' ? message.results : [])),
  }
}

function callsIn(messages: readonly Message[]): readonly MessageCall[] {
  return messages.flatMap((message) => (message.role === 'assistant' ? (message.calls ?? []) : []))
}

/** A text as it stands, and what Unicode tags spell in it: models read those. */
function readAll(text: string): string {
  const spelled = Array.from(text, (letter) => {
    const point = letter.codePointAt(0) ?? 0
    return point > 0xe0000 && point < 0xe0080 ? String.fromCodePoint(point - 0xe0000) : ''
  })
  return `${text}\n${spelled.join('')}`
}
