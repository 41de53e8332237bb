import { button, element } from '../shared/element.ts'
import { row } from '../shared/panel.ts'

/** Where a person types what is to be done. */
export interface SearchField {
  readonly elements: readonly HTMLElement[]
  readonly query: string
}

/** A pause in typing that is long enough to search. In milliseconds. */
const typingMs = 80

/** A field and examples to press; `ask` is told each question, and whether it may not be typed to its end yet. */
export function searchField(
  examples: readonly string[],
  ask: (isTyping: boolean) => void,
  leaving: AbortSignal,
): SearchField {
  const off = { spellcheck: 'false', autocapitalize: 'none', autocomplete: 'off' }
  const input = element('input', { type: 'search', placeholder: 'book a room for six people', ...off })
  let timer: ReturnType<typeof setTimeout> | undefined
  const askNow = () => {
    clearTimeout(timer)
    ask(false)
  }
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => ask(true), typingMs)
  })
  leaving.addEventListener('abort', () => clearTimeout(timer))
  const label = element('label', { class: 'field' }, 'What is to be done?', input)
  const form = element('form', { class: 'fields', role: 'search' }, label)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    askNow()
  })
  const chips = examples.map((example) => {
    const press = () => {
      input.value = example
      askNow()
    }
    return button(example, press, { class: 'chip' })
  })
  return {
    elements: [form, row(...chips)],
    get query() {
      return input.value.trim()
    },
  }
}
