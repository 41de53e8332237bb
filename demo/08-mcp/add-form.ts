import { element } from '../shared/element.ts'
import { row } from '../shared/panel.ts'
import { demoServerUrl } from './demo-server.ts'

/** What a person says about a server. */
export interface WantedServer {
  readonly url: string
  readonly namespace: string
  readonly needsApproval: boolean
}

/** The form that adds a server. */
export interface AddForm {
  readonly element: HTMLElement
  /** To the address: for when what had the focus is gone. */
  focus(): void
}

/** Makes the form. `add` throws an error whose message says what is wrong with the answers. */
export function addForm(add: (wanted: WantedServer) => void): AddForm {
  const url = textField('Address', { type: 'url', value: demoServerUrl, inputmode: 'url' })
  const namespace = textField('Namespace', { type: 'text', value: 'demo' })
  const asks = element('input', { type: 'checkbox', checked: true, autocomplete: 'off' })
  const trouble = element('div', { class: 'trouble', role: 'alert', id: 'mcp-trouble' })
  const fields = [url, namespace]
  const submit = () => {
    trouble.replaceChildren()
    for (const { input } of fields) input.ariaInvalid = 'false'
    try {
      add({
        url: url.input.value.trim(),
        namespace: namespace.input.value.trim(),
        needsApproval: asks.checked,
      })
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error)
      const wrong = /\bnamespace (?:is|")/.test(words) ? namespace : url
      wrong.input.ariaInvalid = 'true'
      wrong.input.focus()
      trouble.append(element('p', {}, words))
    }
  }
  // The browser's own words about an address would come before the library's.
  const form = element(
    'form',
    { class: 'fields', novalidate: true },
    url.label,
    namespace.label,
    element(
      'p',
      { class: 'hint', id: 'mcp-namespace-hint' },
      'Your name for it, not the server’s: its tools become ',
      element('code', {}, 'namespace_tool'),
      ', and permissions can name ',
      element('code', {}, 'mcp:namespace'),
      '.',
    ),
    element('div', { class: 'modes' }, element('label', {}, asks, 'Ask me before each call')),
    row(element('button', { type: 'submit', class: 'primary' }, 'Add')),
    trouble,
  )
  namespace.input.setAttribute('aria-describedby', 'mcp-namespace-hint mcp-trouble')
  url.input.setAttribute('aria-describedby', 'mcp-trouble')
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    submit()
  })
  return { element: form, focus: () => url.input.focus() }
}

function textField(text: string, attributes: { type: string; value: string; inputmode?: string }) {
  const input = element('input', {
    ...attributes,
    ...{ spellcheck: 'false', autocapitalize: 'none', autocomplete: 'off' },
  })
  return { input, label: element('label', { class: 'field' }, text, input) }
}
