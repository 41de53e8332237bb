import { element } from '../shared/element.ts'
import { type Attack, attacks } from './attacks.ts'

/** How much the agent may do without a question. */
export type PolicyName = 'off' | 'confirm' | 'strict'

const policies: Readonly<Record<PolicyName, string>> = {
  off: 'off: no rules',
  confirm: 'confirm: it asks',
  strict: 'strict: it refuses what leaks',
}

/** What the person chooses before a run. */
export interface Choices {
  readonly element: HTMLElement
  attack(): Attack
  policy(): PolicyName
}

/** Makes the choices; `changed` is told of another attack. */
export function choices(changed: () => void): Choices {
  const pages = attacks.map(({ id, label, about }, index) =>
    choice('attack', id, index === 0, element('span', {}, label), element('span', { class: 'hint' }, about)),
  )
  const rules = Object.entries(policies).map(([name, label]) =>
    choice('policy', name, name === 'confirm', label),
  )
  const chosen = (all: readonly Choice[]) => all.find(({ field }) => field.checked)?.field.value
  for (const { field } of pages) field.addEventListener('change', changed)
  return {
    element: element(
      'div',
      { class: 'choices' },
      fieldset('attacks', 'What the page tries', pages),
      fieldset('modes', 'Policy', rules),
    ),
    attack: () => attacks.find(({ id }) => id === chosen(pages)) ?? attacks[0],
    policy: () => (chosen(rules) ?? 'confirm') as PolicyName,
  }
}

interface Choice {
  readonly field: HTMLInputElement
  readonly label: HTMLElement
}

function choice(name: string, value: string, checked: boolean, ...label: readonly (Node | string)[]): Choice {
  const field = element('input', { type: 'radio', name, value, checked })
  // Not what an earlier visit left there, which browsers would put back.
  field.autocomplete = 'off'
  return { field, label: element('label', {}, field, element('span', { class: 'choice' }, ...label)) }
}

function fieldset(kind: string, legend: string, all: readonly Choice[]): HTMLElement {
  return element('fieldset', { class: kind }, element('legend', {}, legend), ...all.map(({ label }) => label))
}
