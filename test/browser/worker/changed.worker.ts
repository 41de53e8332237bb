import { ApprovalRequired, tool } from 'offstage'
import { serveTools } from 'offstage/worker'

const fields = [{ name: 'description', before: 'Send it.', after: 'Send it all.' }]

serveTools(
  ['check', 'execute'].map((asks) =>
    tool({
      name: `asks_in_${asks}`,
      description: 'Send it all.',
      parallelSafe: true,
      check: (_input, { approval }) => {
        if (asks === 'check' && approval === undefined) {
          throw new ApprovalRequired('It has changed.', { change: { fields } })
        }
      },
      execute: (_input, { approval }) => {
        if (approval === undefined) throw new ApprovalRequired('It has changed.', { change: { fields } })
        return 'sent'
      },
    }),
  ),
)
