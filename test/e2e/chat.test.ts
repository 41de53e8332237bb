import { expect } from '@playwright/test'
import {
  allow,
  answerButton,
  callsOf,
  chatOf,
  chatPages,
  chooseServer,
  correctKey,
  say,
  talkToServer,
  test,
} from './chat.ts'

const failures = 'Which service fails most? Restart it if that helps.'

test.beforeEach(async ({ page }) => {
  await page.goto(chatPages.vanilla)
})

test('a chat shows thoughts, text, calls in lanes, a question, and the note of the page’s own tool', async ({
  page,
}) => {
  const { conversation, notes, send } = chatOf(page)
  // On a busy machine a call is written between two looks from outside.
  const written = page.evaluate(() => {
    const isWritten = () => document.body.textContent.includes('is being written')
    return new Promise<boolean>((resolve) => {
      new MutationObserver((_changes, observer) => {
        if (!isWritten()) return
        observer.disconnect()
        resolve(true)
      }).observe(document.body, { childList: true, subtree: true, characterData: true })
    })
  })
  await page.getByRole('button', { name: failures }).click()
  await expect(send).toBeDisabled()
  expect(await written).toBe(true)
  await allow(page, 'restart_service')
  await expect(conversation).toContainText('checkout was restarted, as you allowed.')
  const cards = await callsOf(page, 'count_errors').allInnerTexts()
  expect(cards).toHaveLength(3)
  for (const text of cards)
    expect(text).toMatch(/errors in 200000 lines\s+Ran in a worker \(lane-\d\) for [\d,.]+ ms\./)
  await expect(notes).toHaveText([/^checkout: \d+ errors, was restarted$/])
  await expect(conversation.getByText('None needs another')).toBeHidden()
  await conversation.getByText('Thoughts').click()
  await expect(conversation.getByText('None needs another')).toBeVisible()
  await expect(send).toBeEnabled()
})

test('the keyboard alone writes two lines, sends them, answers a question and goes on writing', async ({
  page,
}) => {
  const { box, conversation, send } = chatOf(page)
  await box.focus()
  await page.keyboard.type('Restart what')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('fails most')
  await page.keyboard.press('Enter')
  await expect(conversation.locator('.you .words')).toHaveText('Restart what\nfails most')
  await expect(box).toBeFocused()
  await expect(box).toHaveValue('')
  // The next message waits in the box while the agent works.
  await page.keyboard.type('Note the rest')
  await page.keyboard.press('Enter')
  await expect(box).toHaveValue('Note the rest')
  const deny = answerButton(page, 'Deny', 'restart_service')
  await deny.waitFor({ timeout: 20_000 })
  for (let presses = 0; presses < 8; presses += 1) {
    if (await deny.evaluate((button) => button === document.activeElement)) break
    await page.keyboard.press('Shift+Tab')
  }
  await expect(deny).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(box).toBeFocused()
  await expect(conversation).toContainText('checkout was not restarted, because nobody allowed it.')
  await expect(send).toBeEnabled()
  await page.keyboard.press('Enter')
  await expect(chatOf(page).notes).toHaveCount(2)
})

test('a screen reader hears whole messages and questions, and no pieces of them', async ({ page }) => {
  await page.evaluate(() => {
    const heard: string[] = []
    Object.assign(globalThis, { heard })
    const region = document.querySelector('[aria-live="polite"]')
    if (region === null) throw new Error('nothing is announced')
    new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const node of addedNodes) heard.push(node.textContent ?? '')
    }).observe(region, { childList: true, characterData: true, subtree: true })
  })
  await say(page, failures)
  await answerButton(page, 'Deny', 'restart_service').click({ timeout: 20_000 })
  await expect(chatOf(page).send).toBeEnabled()
  expect(await page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard)).toEqual([
    'I will read the three logs side by side.',
    expect.stringMatching(/^checkout fails most: \d+ errors\. A restart may help; you decide\.$/),
    'restart_service waits for you: allow or deny it in the conversation.',
    expect.stringContaining('was not restarted'),
  ])
})

test('a yes of no person, or in the first moments of a question, is no answer', async ({ page }) => {
  await page.evaluate(() => {
    const real = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp')
    new MutationObserver((_records, observer) => {
      const button = document.querySelector<HTMLElement>('.call-action .primary')
      if (button === null) return
      observer.disconnect()
      button.click()
      // The time of each event from now on, so that a slow machine is no slow person.
      const soon = performance.now() + 50
      Object.defineProperty(Event.prototype, 'timeStamp', { configurable: true, get: () => soon })
      const later = () => Object.defineProperty(Event.prototype, 'timeStamp', real ?? {})
      Object.assign(globalThis, { later })
    }).observe(document.body, { childList: true, subtree: true })
  })
  await say(page, failures)
  await answerButton(page, 'Allow', 'restart_service').click({ timeout: 20_000 })
  await expect(callsOf(page, 'restart_service')).toContainText('waits for you')
  await page.evaluate(() => (globalThis as unknown as { later(): void }).later())
  await allow(page, 'restart_service')
  await expect(callsOf(page, 'restart_service')).toContainText('success')
})

test('a model on loopback is asked, answers in pieces, is stopped, and the conversation goes on', async ({
  page,
  server,
}) => {
  await talkToServer(page, server)
  // Where the conversation is text, nothing of it became an element.
  await expect(page.locator('.words b, .words img')).toHaveCount(0)
})

test('a reload forgets the key, and nothing has stored it', async ({ page, server }) => {
  server.reply({ deltas: [{ content: 'Hello.' }] })
  await chooseServer(page, `${server.origin}/v1`, 'sk-secret')
  await say(page, 'Hi')
  await expect(chatOf(page).conversation).toContainText('Hello.')
  const stored = () =>
    page.evaluate(async () => {
      const databases = await indexedDB.databases()
      return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, databases])
    })
  expect(await stored()).toBe('[{},{},"",[]]')
  await page.reload()
  await page.getByRole('radio', { name: 'An OpenAI-compatible endpoint' }).check()
  await expect(page.getByLabel('Key')).toHaveValue('')
})

test('leaving the story stops the answer and ends the workers', async ({ page, server }) => {
  server.reply({ deltas: [{ content: 'One, ' }], hangs: true })
  await chooseServer(page, `${server.origin}/v1`)
  await say(page, 'Count')
  await expect(chatOf(page).conversation).toContainText('One,')
  await page.getByRole('link', { name: 'Tool', exact: true }).click()
  await server.asked[0]?.left
  await expect.poll(() => page.workers().length).toBe(0)
})

test.describe('with trouble that is made', () => {
  test.use({ trouble: /401|Content.Security.Policy|connect-src|models\.test/ })

  test('a refused key is said, and the message goes again with the right one', async ({ page, server }) => {
    await correctKey(page, server)
  })

  test('the page says that its own policy keeps it from a server elsewhere', async ({ page }) => {
    await chooseServer(page, 'https://models.test/v1')
    await say(page, 'Hi')
    await expect(chatOf(page).trouble).toContainText(
      'The Content-Security-Policy of this page lets it ask only its own server and this machine',
      { timeout: 10_000 },
    )
  })
})
