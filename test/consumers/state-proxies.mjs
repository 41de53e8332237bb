import { expect } from '@playwright/test'
import { expectReady } from './notes-story.mjs'

/**
 * Has the app send its `$state({ a: 1 })` to a worker tool.
 * @param {string} button which way it goes
 * @param {readonly string[]} told what the app must say then
 * @returns {import('./app-page.mjs').PageTest}
 */
function send(button, told) {
  return async ({ page, open }) => {
    await open()
    await expectReady(page)
    await page.getByRole('button', { name: button }).click()
    const output = page.getByRole('status', { name: 'Told' })
    for (const part of told) await expect(output).toContainText(part)
  }
}

export const stateAsInput = send('Send it as input', ['success: input {"a":1}, deps undefined'])

export const stateWithoutGate = send('Send it past the gate', ['response: input {"a":1}, deps undefined'])

export const snapshotInDeps = send('Send a snapshot in deps', [
  'success: input {"a":1}, deps {"settings":{"a":1}}',
])

export const stateInDeps = send('Send the state itself in deps', [
  'error: ',
  '"settings"',
  '$state.snapshot(',
])
