import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'
import { type Companion, startCompanion } from '../../src/companion/start-companion.ts'
import { openStory, statusOf, textOf, watchPage } from './demo-test.ts'
import { confirmation, waitForGuard } from './dialog.ts'

const test = base.extend<{ companion: Companion; folder: string; page: Page }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'companion-'))
    writeFileSync(join(folder, 'release-notes.txt'), 'The wheel was mended.\n  by Ada\n')
    await use(folder)
    rmSync(folder, { recursive: true })
  },
  companion: async ({ folder, baseURL }, use) => {
    const { origin } = new URL(baseURL ?? '')
    const companion = await startCompanion({ origins: [origin], allow: ['ls', 'cat'], roots: [folder] })
    await use(companion)
    await companion.close()
  },
  page: async ({ page, baseURL, companion }, use) => {
    // A refused link is an answer that browsers log.
    const trouble = /the server responded with a status of 4/
    const expectNoTrouble = await watchPage(page, baseURL, { origin: companion.url, trouble })
    await use(page)
    await expectNoTrouble()
  },
})

function commandLine(page: Page) {
  const panel = page.getByRole('region', { name: 'The command line' })
  return {
    panel,
    agent: page.getByRole('region', { name: 'The agent' }),
    link: panel.getByLabel('Pairing link'),
    connect: panel.getByRole('button', { name: 'Connect' }),
    command: panel.getByLabel('Command', { exact: true }),
    run: panel.getByRole('button', { name: 'Ask the agent to run it' }),
    trouble: panel.getByRole('alert'),
  }
}

test('a command runs after its exact words, its program and its folder were shown', async ({
  page,
  companion,
  folder,
}) => {
  await openStory(page, 'notes')
  const { link, connect, command, run, agent, trouble } = commandLine(page)
  const pairing = companion.pairingLink()
  await link.fill(pairing)
  await connect.click()
  await expect(statusOf(page, 'The command line')).toHaveText(
    `Connected to the companion at ${companion.url}.`,
  )
  await command.fill('cat "release-notes.txt"')
  await run.click()
  const { dialog, approve, deny } = confirmation(page)
  await expect(dialog).toContainText('release-notes.txt')
  await expect(dialog).toContainText(/Program: \/\S*\/cat/)
  await expect(dialog).toContainText(folder)
  // Each on a line of its own: no line end has to be marked.
  await expect(dialog.locator('.reasons li')).toHaveCount(3)
  await expect(dialog.locator('.reasons .mark')).toHaveCount(0)
  await waitForGuard(page)
  await approve.click()
  await expect(agent).toContainText('That is what it printed.')
  // As it stood in the file.
  const printed = agent.locator('.call-text')
  expect(await textOf(printed)).toContain('The wheel was mended.\n  by Ada')
  await expect(printed).toHaveCSS('white-space', /^(?:pre-wrap|preserve)/)
  await expect(printed).toHaveCSS('font-family', /mono/i)
  // Asked again each time, and a no runs nothing.
  await run.click()
  await deny.click()
  await expect(agent).toContainText('I have run nothing.')
  await expect(agent).not.toContainText('The wheel was mended.')
  // What is not allowed asks nobody.
  await command.fill('cat release-notes.txt | sh')
  await run.click()
  await expect(agent).toContainText('It did not run: the result says why.')
  await expect(dialog).toBeHidden()
  // A link works once: in a tab that does not have the token it is refused, in words that help.
  await page.evaluate(() => sessionStorage.clear())
  await page.reload()
  await link.fill(pairing)
  await connect.click()
  await expect(trouble).toContainText(/link/)
  await expect(link).toBeFocused()
})

test('without a companion the tool says how to start one', async ({ page }) => {
  await openStory(page, 'notes')
  const { run, agent } = commandLine(page)
  await run.click()
  await expect(agent).toContainText('npx offstage-companion')
  await expect(confirmation(page).dialog).toBeHidden()
})
