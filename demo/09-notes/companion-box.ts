import { type ConnectedCompanion, connectCompanion } from 'offstage/mcp'
import { element } from '../shared/element.ts'
import { row, statusLine } from '../shared/panel.ts'

/** Where a companion is connected, and commands are typed. */
export interface CompanionBox {
  readonly element: HTMLElement
  /** The one that is connected. */
  companion(): ConnectedCompanion | undefined
}

/** Makes the box. */
export function companionBox(run: (command: string) => void, leaving: AbortSignal): CompanionBox {
  let connected: ConnectedCompanion | undefined
  const status = statusLine('No companion is connected: the tool says how to start one.')
  const trouble = element('div', { class: 'trouble', role: 'alert', id: 'companion-trouble' })
  const link = textField('Pairing link', 'http://127.0.0.1:4391/#pair=…')
  link.input.setAttribute('aria-describedby', 'companion-trouble')
  const connect = async () => {
    trouble.replaceChildren()
    link.input.ariaInvalid = 'false'
    status.textContent = 'Connecting …'
    try {
      const companion = await connectCompanion(link.input.value)
      await connected?.close()
      connected = companion
      if (leaving.aborted) await companion.close()
      status.textContent = `Connected to the companion at ${companion.url}.`
    } catch (error) {
      status.textContent = 'No companion is connected.'
      link.input.ariaInvalid = 'true'
      link.input.focus()
      trouble.append(element('p', {}, error instanceof Error ? error.message : String(error)))
    }
  }
  leaving.addEventListener('abort', () => void connected?.close())
  const pairing = form('Connect', () => void connect(), link.label)
  const command = textField('Command', 'git log --oneline -5')
  command.input.value = 'ls -l'
  const typing = form('Ask the agent to run it', () => run(command.input.value.trim()), command.label)
  return {
    element: element('div', { class: 'notes' }, ...startHint(), pairing, trouble, status, typing),
    companion: () => connected,
  }
}

function form(label: string, submit: () => void, ...fields: readonly HTMLElement[]): HTMLFormElement {
  const send = element('button', { type: 'submit' }, label)
  const made = element('form', { class: 'fields', novalidate: true }, ...fields, row(send))
  made.addEventListener('submit', (event) => {
    event.preventDefault()
    submit()
  })
  return made
}

function textField(text: string, placeholder: string) {
  const off = { spellcheck: 'false', autocapitalize: 'none', autocomplete: 'off' }
  const input = element('input', { type: 'text', placeholder, ...off })
  return { input, label: element('label', { class: 'field' }, text, input) }
}

function startHint(): HTMLElement[] {
  const command = `npm run companion -- --origin ${location.origin}`
  return [
    element(
      'p',
      { class: 'description' },
      'A page has no command line. The companion is a small program that you start on this machine; it runs reading commands in one folder, each after your yes. In the folder of Offstage:',
    ),
    element(
      'pre',
      { class: 'command', tabindex: '0', role: 'group', 'aria-label': 'How to start it' },
      element('code', {}, command),
    ),
    element('p', { class: 'hint' }, 'It prints a link that works once, for this page only.'),
  ]
}
