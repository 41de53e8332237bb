import { type Service, thing } from './service.ts'

/** Made-up servers of an office. */
export const officeServices: readonly Service[] = [
  {
    name: 'calendar',
    place: 'the calendar',
    things: [
      thing(
        'event',
        'a meeting or an appointment at a time',
        'title start end people',
        'create read list update cancel move',
      ),
      thing('invitation', 'the request to come to an event', 'event person', 'send accept decline'),
      thing('room', 'a meeting room with seats and a screen', 'start end seats', 'find book release'),
      thing('reminder', 'a notice before something is due', 'text time', 'set list snooze delete'),
      thing('free slot', 'a time at which everybody can come', 'people minutes day', 'find'),
      thing('vacation', 'days on which a person is off work', 'person start end', 'request approve list'),
    ],
  },
  {
    name: 'mail',
    place: 'the mailbox',
    things: [
      thing(
        'message',
        'an e-mail that was sent or received',
        'to subject text',
        'send search read delete forward reply_to',
      ),
      thing('draft', 'an e-mail that is not finished', 'to subject text', 'create list update delete send'),
      thing('label', 'a word that sorts e-mails', 'name', 'create list delete'),
      thing('filter', 'a rule that sorts new mail by itself', 'sender folder', 'create list delete'),
      thing('attachment', 'a file that came with an e-mail', 'message', 'list download'),
      thing('signature', 'the lines at the end of each e-mail', 'text', 'update'),
    ],
  },
  {
    name: 'chat',
    place: 'the team chat',
    things: [
      thing('message', 'a line to colleagues', 'channel text', 'post search update delete pin'),
      thing('channel', 'a place to talk about one topic', 'name topic', 'create list join leave archive'),
      thing('thread', 'a message with its answers', 'channel', 'read summarize'),
      thing('reaction', 'an emoji below a message', 'message emoji', 'add remove'),
      thing('presence', 'whether somebody is there or away', 'text emoji', 'set clear'),
      thing('poll', 'a question to vote on', 'question answers', 'create close'),
      thing('call', 'a voice or video call', 'people', 'start stop'),
    ],
  },
  {
    name: 'issues',
    place: 'the issue tracker',
    things: [
      thing(
        'issue',
        'a bug or a task of a project',
        'title text priority',
        'create read search update close reopen assign',
      ),
      thing('comment', 'a remark below an issue', 'issue text', 'add list delete'),
      thing('label', 'a word that sorts issues', 'name', 'create list delete'),
      thing('milestone', 'a date with the issues due by then', 'name day', 'create list close'),
      thing('sprint', 'two weeks of planned work', 'name start end', 'start read close'),
      thing('burndown', 'how much work is left, day by day', 'sprint', 'get'),
    ],
  },
  {
    name: 'code',
    place: 'the code host',
    things: [
      thing('repository', 'a project with its source and history', 'name', 'create list search copy archive'),
      thing(
        'pull request',
        'a change that waits for a review',
        'title branch text',
        'create read list merge close review',
      ),
      thing('branch', 'a line of work beside the main one', 'name', 'create list delete'),
      thing('source file', 'a file of a repository', 'path text', 'read update'),
      thing('commit', 'one saved change with its author', 'branch', 'list compare'),
      thing('release', 'a version with notes for its users', 'version text', 'publish list'),
    ],
  },
  {
    name: 'files',
    place: 'the file store',
    things: [
      thing(
        'file',
        'a document or anything else that is kept',
        'name folder',
        'upload download search move copy rename delete',
      ),
      thing('folder', 'a directory that holds files', 'name', 'create list delete share'),
      thing('link', 'an address at which others open a file', 'file day', 'create list revoke'),
      thing('revision', 'an earlier state of a file', 'file', 'list restore compare'),
      thing('zip archive', 'many files packed into one', 'files', 'create extract'),
      thing('quota', 'how much space is used and left', 'folder', 'get'),
    ],
  },
  {
    name: 'crm',
    place: 'the customer base',
    things: [
      thing(
        'contact',
        'a person at a customer',
        'name email phone',
        'create read search update merge export',
      ),
      thing('company', 'an organisation that buys', 'name website', 'create read search update'),
      thing('deal', 'a sale that may come about', 'title amount stage', 'create read list update close'),
      thing('visit', 'a talk with a customer, there or by phone', 'contact text', 'log list'),
      thing('lead', 'somebody who may become a customer', 'name email', 'add assign list'),
    ],
  },
  {
    name: 'accounting',
    place: 'the books',
    things: [
      thing('invoice', 'a bill for a customer', 'customer amount day', 'create send read list cancel'),
      thing(
        'expense',
        'what an employee has spent on a trip or a purchase',
        'amount currency text',
        'add list approve reject',
      ),
      thing('receipt', 'a scan of what was paid', 'file', 'upload list'),
      thing('ledger account', 'a line of the balance sheet', 'name', 'list read'),
      thing('tax return', 'what is owed to the tax office', 'year', 'estimate export'),
      thing('budget', 'what a department may spend', 'department amount year', 'set get compare'),
      thing('bank transfer', 'money moved to a bank account', 'iban amount', 'schedule list'),
    ],
  },
  {
    name: 'support',
    place: 'the help desk',
    things: [
      thing(
        'ticket',
        'a question or complaint of a customer',
        'subject text priority',
        'create read search assign close merge escalate',
      ),
      thing('reply', 'what a customer is answered', 'ticket text', 'send suggest'),
      thing('help article', 'a page of the help centre', 'title text', 'create search update publish'),
      thing('canned answer', 'a text for what is asked often', 'name text', 'create list delete'),
      thing('survey', 'the question whether a customer is content', 'ticket', 'send list'),
      thing('queue', 'tickets that wait for somebody', 'name', 'read'),
      thing('shift', 'who answers at which hours', 'day', 'list'),
    ],
  },
]
