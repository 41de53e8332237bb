import { tool } from 'offstage'
import * as v from 'valibot'

export const restartService = tool({
  name: 'restart_service',
  description: 'Restart a service. Requests in flight are lost.',
  inputSchema: v.object({ service: v.string() }),
  needsApproval: true,
  effect: 'external',
  execute: ({ service }) => `${service} was restarted.`,
})
