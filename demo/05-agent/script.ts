import type { ModelRequest } from 'offstage'
import { ScriptedModel } from 'offstage/testing'

/** What the user asks. */
export const question =
  'Which of our services fails most, what is its share of all errors, and should we restart it?'

/**
 * Plays the model. Only what it says is written here; the numbers are read from the results, as a model
 * would read them.
 */
export function makeScript(): ScriptedModel {
  const { toolCall } = ScriptedModel
  return new ScriptedModel([
    {
      text: 'I will read the three logs side by side.',
      calls: ['checkout', 'search', 'mail'].map((service) => toolCall('count_errors', { service })),
    },
    (request) => {
      const [worst, ...others] = counts(request)
      const all = [worst, ...others].map((each) => each?.errors ?? 0).join(' + ')
      return {
        text: `${worst?.service} has the most. Now its share.`,
        calls: [toolCall('calculator', { expression: `round(100 * ${worst?.errors} / (${all}))` })],
      }
    },
    (request) => ({
      text: `That is ${lastText(request)} % of all errors. A restart may help; I will ask you first.`,
      calls: [toolCall('restart_service', { service: counts(request)[0]?.service })],
    }),
    (request) => {
      const [worst] = counts(request)
      const done = lastOutcome(request) === 'success'
      return `${worst?.service} fails most, with ${worst?.errors} errors. ${
        done ? 'It was restarted, as you allowed.' : 'It was not restarted.'
      }`
    },
  ])
}

/** What the logs held, the worst service first. */
function counts({ messages }: ModelRequest): { service: string; errors: number }[] {
  return messages
    .flatMap((message) => (message.role === 'tool' ? message.results : []))
    .flatMap(({ text }) => {
      const [, service, errors] = /^(\w+): (\d+) errors/.exec(text) ?? []
      return service === undefined ? [] : [{ service, errors: Number(errors) }]
    })
    .sort((a, b) => b.errors - a.errors)
}

function lastResult({ messages }: ModelRequest) {
  const last = messages.at(-1)
  return last?.role === 'tool' ? last.results.at(-1) : undefined
}

function lastText(request: ModelRequest): string {
  return lastResult(request)?.text ?? ''
}

function lastOutcome(request: ModelRequest): string {
  return lastResult(request)?.outcome ?? ''
}
