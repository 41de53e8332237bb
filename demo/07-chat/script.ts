import type { MessageResult, ModelAdapter, ModelEvent, ModelRequest } from 'offstage'
import { ScriptedModel, type ScriptedTurn } from 'offstage/testing'
import { paced } from '../05-agent/paced-model.ts'

/** What can be said to the script, and makes sense to any other model. */
export const openers = [
  'Which service fails most? Restart it if that helps.',
  'Note that the disk of mail is nearly full.',
  'Tell me how a chat page works.',
] as const

/**
 * Plays the model, for as many messages as there are: what it says next follows from the conversation alone. The
 * numbers in it are read from the results, as a model would read them.
 */
export const chatScript: ModelAdapter = paced({
  name: 'script',
  stream: (request) => new ScriptedModel([nextTurn(request)]).stream(request),
})

function nextTurn({ messages }: ModelRequest): ScriptedTurn {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const question = messages[at]?.role === 'user' ? messages[at].text : ''
  const since = messages.slice(at + 1)
  const results = since.flatMap((message) => (message.role === 'tool' ? message.results : []))
  if (/fail|error|restart/i.test(question)) return aboutFailures(results)
  if (/\b(?:note|remember)\b/i.test(question)) return aboutNote(question, results)
  return longAnswer
}

function aboutFailures(results: readonly MessageResult[]): ScriptedTurn {
  const last = results.at(-1)
  if (last === undefined) {
    const services = ['checkout', 'search', 'mail']
    return {
      events: [
        ...words('reasoning-delta', 'Three logs. None needs another, so I can read all of them at once.'),
        ...words('text-delta', 'I will read the three logs side by side.'),
        ...services.flatMap((service) => writtenCall('count_errors', { service })),
        { type: 'finish', reason: 'tool-calls' },
      ],
    }
  }
  const { service, errors } = worstOf(results)
  const restart = results.find(({ name }) => name === 'restart_service')
  if (restart === undefined) {
    return {
      events: [
        ...words('text-delta', `${service} fails most: ${errors} errors. A restart may help; you decide.`),
        ...writtenCall('restart_service', { service }),
        { type: 'finish', reason: 'tool-calls' },
      ],
    }
  }
  const isDone = restart.outcome === 'success'
  const ending = isDone ? 'was restarted' : 'was not restarted'
  if (last.name !== 'add_note') {
    return { events: writtenCall('add_note', { text: `${service}: ${errors} errors, ${ending}` }) }
  }
  return `${service} ${ending}, ${isDone ? 'as you allowed' : 'because nobody allowed it'}. I left a note on the page.`
}

function aboutNote(question: string, results: readonly MessageResult[]): ScriptedTurn {
  const text = question.replace(/^\W*(?:please )?(?:note|remember)\W+(?:that |to )?/i, '')
  if (results.length === 0) return { events: writtenCall('add_note', { text }) }
  return 'Noted. It stands on the page, where the tool that wrote it lives.'
}

const longAnswer =
  `A chat page follows a session. The session is a store: it says what was said so far, which calls
run, and what waits for your answer. Each word of mine changes it, and the page draws what is new, at most once a frame.

When I call a tool, you see the call while I still write it. Then it is checked, and if it changes something outside of
this page, you are asked. Tools that are safe beside others run at the same time, in workers, so that the page goes on
drawing.

You can stop me at any time, also now. What I said until then stays, calls that were open get the result that they were
cancelled, and so the conversation can go on with the same model or with another one.`.replace(
    /(\S)\n(?=\S)/g,
    '$1 ',
  )

/** What the logs held, the worst service. */
function worstOf(results: readonly MessageResult[]): { service: string; errors: number } {
  const counts = results.flatMap(({ text }) => {
    const [, service, errors] = /^(\w+): (\d+) errors/.exec(text) ?? []
    return service === undefined ? [] : [{ service, errors: Number(errors) }]
  })
  return counts.reduce((worst, each) => (each.errors > worst.errors ? each : worst), {
    service: 'none',
    errors: 0,
  })
}

function words(type: 'text-delta' | 'reasoning-delta', text: string): ModelEvent[] {
  return (text.match(/\S+\s*/g) ?? []).map((word) => ({ type, text: word }))
}

let written = 0

/** A call piece by piece, as providers stream them. */
function writtenCall(name: string, input: object): ModelEvent[] {
  written += 1
  const key = `call-${written}`
  const json = JSON.stringify(input)
  const pieces = json.match(/.{1,6}/gs) ?? []
  return [
    ...pieces.map((text) => ({ type: 'call-input-delta' as const, key, name, text })),
    { type: 'call', key, name, input: json },
  ]
}
