import { element } from '../shared/element.ts'
import { panel } from '../shared/panel.ts'
import type { Endpoint } from './endpoint.ts'

/** Lets a person choose the model. */
export interface ModelPanel {
  readonly element: HTMLElement
  /** What is chosen now; undefined stands for the script. */
  chosen(): Endpoint | undefined
}

/**
 * Makes the panel. The key is in its field and nowhere else: nothing is stored, and a reload forgets it. The fields
 * stand in no form, so that no browser offers to keep it.
 */
export function modelPanel(): ModelPanel {
  const script = choice('The script, offline', true)
  const endpoint = choice('An OpenAI-compatible endpoint', false)
  const baseURL = element('input', { type: 'url', value: 'http://localhost:11434/v1', spellcheck: 'false' })
  const model = element('input', {
    type: 'text',
    value: 'qwen3',
    spellcheck: 'false',
    autocapitalize: 'none',
  })
  const apiKey = element('input', { type: 'password', spellcheck: 'false' })
  // Not what an earlier visit left there, which browsers would put back.
  for (const field of [script.field, endpoint.field, baseURL, model, apiKey]) field.autocomplete = 'off'
  const fields = element(
    'div',
    { class: 'fields', hidden: true },
    labelled('Address, up to /v1', baseURL),
    labelled('Model', model),
    labelled('Key, if it wants one', apiKey),
    element(
      'p',
      { class: 'hint' },
      'The key stays in the memory of this page and goes to this address only. A reload forgets it.',
    ),
    serverNote(),
  )
  const follow = () => {
    fields.hidden = !endpoint.field.checked
  }
  for (const { field } of [script, endpoint]) field.addEventListener('change', follow)
  const modes = element(
    'fieldset',
    { class: 'modes below' },
    element('legend', {}, 'Who answers'),
    script.label,
    endpoint.label,
  )
  return {
    element: panel('Model', modes, fields),
    chosen: () => {
      if (!endpoint.field.checked) return undefined
      return { baseURL: baseURL.value.trim(), model: model.value.trim(), apiKey: apiKey.value.trim() }
    },
  }
}

function serverNote(): HTMLElement {
  return element(
    'details',
    { class: 'note' },
    element('summary', {}, 'Ollama, and what a browser allows'),
    element(
      'p',
      {},
      'A model server must allow the page that asks it (CORS). Ollama allows pages at localhost and 127.0.0.1 by itself; for a page elsewhere, start it with the origin of the page:',
    ),
    element(
      'pre',
      { tabindex: '0', role: 'group', 'aria-label': 'Command' },
      element('code', {}, `OLLAMA_ORIGINS="${location.origin}" ollama serve`),
    ),
    element(
      'p',
      {},
      'In LM Studio it is the switch “Enable CORS”, llama.cpp allows all pages. A page over https, as the public demo is, reaches plain http only on this machine: localhost and 127.0.0.1. Chrome asks you first, and Safari may refuse even that. A page whose Content-Security-Policy names no other server reaches none; the chat says so when it happens.',
    ),
  )
}

function choice(text: string, checked: boolean): { field: HTMLInputElement; label: HTMLElement } {
  const field = element('input', { type: 'radio', name: 'model-kind', checked })
  return { field, label: element('label', {}, field, text) }
}

function labelled(text: string, field: HTMLInputElement): HTMLElement {
  return element('label', { class: 'field' }, text, field)
}
