import { ApprovalRequired, tool } from 'offstage'
import * as v from 'valibot'

export interface Email {
  readonly to: string
  readonly subject: string
  readonly body: string
}

/** Makes the tool; `deliver` stands for the mail server. Another `version` is another tool to who allowed this one. */
export function sendEmail(deliver: (email: Email) => void, version = '1') {
  return tool({
    name: 'send_email',
    description: 'Send an e-mail in the name of the user.',
    inputSchema: v.object({
      to: v.pipe(v.string(), v.description('e-mail address')),
      subject: v.string(),
      body: v.string(),
    }),
    version,
    needsApproval: true,
    effect: 'external',
    check: ({ to }) => {
      if (to.endsWith('@example.com')) return
      throw new ApprovalRequired('The address is outside example.com.')
    },
    execute: (email) => {
      deliver(email)
      return 'Sent.'
    },
  })
}
