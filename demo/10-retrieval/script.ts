import type { ModelRequest } from 'offstage'
import { ScriptedModel } from 'offstage/testing'

/** What the user asks. */
export const question =
  'Our checkout fails since this morning. Which errors are in its logs, and can you mend it?'

const readLogs = 'logs_search_log_lines'
const renew = 'domains_renew_certificate'

/** Plays the model: it calls what it is offered, searches for what it is not, and says so when there is no such tool. */
export function makeScript(): ScriptedModel {
  const { toolCall } = ScriptedModel
  return new ScriptedModel([
    (request) =>
      isOffered(request, readLogs)
        ? { text: 'I read the logs of checkout.', calls: [toolCall(readLogs, { query: 'checkout error' })] }
        : 'I have no tool that reads logs.',
    {
      text: 'A certificate has expired. None of my tools renews one, so I search.',
      calls: [toolCall('tool_search', { query: 'renew certificate domain' })],
    },
    (request) =>
      isOffered(request, renew)
        ? { text: 'There is one.', calls: [toolCall(renew, { domain: 'pay.shop.example' })] }
        : 'The certificate of pay.shop.example has expired. I have no tool that renews it: please do it by hand.',
    'The certificate of pay.shop.example had expired at 06:00. I have renewed it: people can pay again.',
  ])
}

function isOffered({ tools }: ModelRequest, name: string): boolean {
  return tools.some((tool) => tool.name === name)
}
