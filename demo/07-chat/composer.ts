import type { SessionSnapshot } from 'offstage'
import { button, element } from '../shared/element.ts'
import { row } from '../shared/panel.ts'

/** Where a person writes. */
export interface Composer {
  readonly element: HTMLElement
  focus(): void
  follow(snapshot: SessionSnapshot): void
}

/** What the composer does for the person. */
export interface ComposerActions {
  send(text: string): void
  stop(): void
}

/**
 * Makes the box with its buttons. Nothing in it is ever disabled, because what is disabled loses the focus: while the
 * model answers, the next message can be written, and waits in the box.
 */
export function composer({ send, stop }: ComposerActions): Composer {
  const box = element('textarea', { rows: '2', placeholder: 'Write a message', 'aria-label': 'Message' })
  const sendButton = element('button', { type: 'submit', class: 'primary' }, 'Send')
  const stopButton = button('Stop', () => {
    if (stopButton.ariaDisabled === 'true') return
    stop()
    box.focus()
  })
  const form = element(
    'form',
    { class: 'composer' },
    box,
    row(
      sendButton,
      stopButton,
      element('span', { class: 'hint' }, 'Enter sends, Shift+Enter makes a new line.'),
    ),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    box.focus()
    const text = box.value.trim()
    if (text === '' || sendButton.ariaDisabled === 'true') return
    box.value = ''
    send(text)
  })
  box.addEventListener('keydown', (event) => {
    // The Enter that ends a word of an input method sends nothing.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    form.requestSubmit()
  })
  return {
    element: form,
    focus: () => box.focus(),
    follow: ({ status }) => {
      const isRunning = status === 'running'
      sendButton.ariaDisabled = String(isRunning)
      stopButton.ariaDisabled = String(!isRunning)
    },
  }
}
