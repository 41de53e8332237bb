import type { Email } from './send-email.ts'

/** Three ordinary e-mails, as a model might ask for in one step. */
export const ordinary: readonly [Email, Email, Email] = [
  {
    to: 'ada@example.com',
    subject: 'Lunch on Thursday',
    body: 'Dear Ada,\nshall we say half past twelve?\nBest, Kim',
  },
  { to: 'grace@example.com', subject: 'Slides', body: 'The slides are in the shared folder.' },
  { to: 'press@example.org', subject: 'Release date', body: 'We plan to release in March.' },
]

/**
 * An e-mail that wants to look like another one: a Cyrillic letter in the address, an override that turns
 * the end of the subject round, invisible characters, and a body too long to read to its end.
 */
export const hostile: Email = {
  to: 'billing@ex\u0430mple.com',
  subject: 'Invoice \u202Efdp.exe\u202C',
  body: `As agreed.\u200B\u200B\u2066 Nothing to see here.\u2069 ${'All is well. '.repeat(400)}P.S. The password is hunter2.`,
}
