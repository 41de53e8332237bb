import { confirmDialog, Grants, grantsElement, ToolExecutor, type ToolResult } from 'offstage'
import { codeView } from '../shared/code-view.ts'
import { button, element, workButton } from '../shared/element.ts'
import { columns, emptyState, panel, row, statusLine } from '../shared/panel.ts'
import { resultView } from '../shared/result-view.ts'
import type { Story } from '../shared/story.ts'
import { countText } from '../shared/time-text.ts'
import { hostile, ordinary } from './emails.ts'
import { type Email, sendEmail } from './send-email.ts'
import source from './send-email.ts?raw'

const pageCode = `const grants = new Grants()
const executor = new ToolExecutor({
  tools: [sendEmail(deliver)],
  confirm: confirmDialog({ timeoutMs: 60_000 }),
  grants,
})
const results = await executor.executeStep(calls)

// In the settings of the app:
settings.append(grantsElement({ grants }))`

/** How long a question may stay open, in milliseconds. */
const patienceMs = 60_000
const shortPatienceMs = 3_000

/** Calls that wait for a person's yes. */
export const confirmStory: Story = {
  id: 'confirm',
  name: 'Confirm',
  title: 'Nothing is sent without your yes',
  lead: 'This tool asks before it runs: approve it, or deny it and say why. What you see in the dialog is letter for letter what would run, and only you can press Approve, not a script. Change the input, or have a yes remembered: below you can revoke it.',
  open: (page, leaving) => {
    const outbox = element('ul', { class: 'outbox' })
    const nothing = emptyState('Nothing was sent.')
    const deliver = (email: Email) => {
      nothing.remove()
      outbox.append(sentView(email))
    }
    const status = statusLine('No question is open.')
    const output = element('div', {}, emptyState('Nobody was asked yet.'))
    const grants = new Grants()
    const allowed = allowedPanel(grants)
    const ask = (emails: readonly Email[], more: { timeoutMs?: number; signal?: AbortSignal } = {}) => {
      const { timeoutMs = patienceMs, signal = leaving } = more
      const confirm = confirmDialog({ timeoutMs })
      return async () => {
        const tools = [sendEmail(deliver, allowed.toolVersion())]
        const executor = new ToolExecutor({ tools, confirm, grants })
        status.textContent = 'A question is open.'
        const calls = emails.map((input) => ({ name: 'send_email', input }))
        const results = await executor.executeStep(calls, { signal })
        output.replaceChildren(...results.map(resultView))
        status.textContent = `Answered: ${results.map(endingWords).join(', ')}.`
      }
    }
    page.append(
      panel(
        'Ask',
        row(
          workButton('Send one', ask([ordinary[0]]), { class: 'primary' }),
          workButton('Send three', ask(ordinary)),
          workButton('Send a hostile one', ask([hostile])),
          workButton('Give me 3 seconds', ask([ordinary[0]], { timeoutMs: shortPatienceMs })),
          workButton('Take it back', () => withdrawn(ask, leaving)),
        ),
        status,
      ),
      allowed.element,
      panel('The outbox', nothing, outbox),
      panel('What the model is told', output),
      theCode(),
    )
  },
}

function endingWords({ outcome, approval }: ToolResult): string {
  return approval?.remembered === undefined ? outcome : `${outcome} (not asked)`
}

/** What is allowed without asking, and a way to make the tool another one. */
function allowedPanel(grants: Grants): { element: HTMLElement; toolVersion(): string } {
  let version = 1
  const line = element('p', { class: 'hint' })
  const change = button('', () => {
    version += 1
    show()
  })
  const show = () => {
    line.textContent = `send_email is version ${version}. What you allow one version is not allowed the next.`
    change.textContent = `Install version ${version + 1}`
  }
  show()
  return {
    element: element('div', { class: 'panel' }, grantsElement({ grants }), row(change, line)),
    toolVersion: () => String(version),
  }
}

function theCode(): HTMLElement {
  return columns(
    panel('The tool', codeView(source, 'send-email.ts')),
    panel('On the page', codeView(pageCode, 'The executor')),
  )
}

/** Asks, and gives the whole step up after a while. */
async function withdrawn(
  ask: (emails: readonly Email[], more: { signal: AbortSignal }) => () => Promise<void>,
  leaving: AbortSignal,
): Promise<void> {
  const signal = AbortSignal.any([leaving, AbortSignal.timeout(shortPatienceMs)])
  await ask(ordinary, { signal })()
}

function sentView({ to, subject, body }: Email): HTMLElement {
  const rest = body.length > 80 ? `${body.slice(0, 80)}… (${countText(body.length)} characters)` : body
  return element('li', {}, element('strong', {}, subject), ` to ${to}`, element('p', {}, rest))
}
