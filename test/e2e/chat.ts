import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { type Allowed, watchPage } from './demo-test.ts'
import { staySeen } from './dialog.ts'
import { calling, ModelServer, saying } from './model-server.ts'

/** The pages with a chat, from the demo's address. */
export const chatPages = { vanilla: './#chat', React: './react/', Svelte: './svelte/' } as const

/** Tests of a chat with a model server of their own. */
export const test = base.extend<{ server: ModelServer; trouble: Allowed['trouble']; page: Page }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  server: async ({}, use) => {
    const server = await ModelServer.start()
    await use(server)
    await server.close()
  },
  /** Trouble that the test itself makes. */
  trouble: [undefined, { option: true }],
  page: async ({ page, baseURL, server, trouble }, use) => {
    const allowed = { origin: server.origin, ...(trouble && { trouble }) }
    const expectNoTrouble = await watchPage(page, baseURL, allowed)
    await use(page)
    await expectNoTrouble()
  },
})

/** The parts of a chat. */
export interface ChatParts {
  readonly box: Locator
  readonly send: Locator
  readonly stop: Locator
  readonly conversation: Locator
  readonly trouble: Locator
  readonly notes: Locator
}

/** Finds the parts; they have the same names on all three pages. */
export function chatOf(page: Page): ChatParts {
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  return {
    box: page.getByRole('textbox', { name: 'Message' }),
    ...{ send: button('Send'), stop: button('Stop') },
    conversation: page.getByRole('region', { name: 'Conversation' }),
    trouble: page.getByRole('alert'),
    notes: page.getByRole('region', { name: 'Notes' }).getByRole('listitem'),
  }
}

/** The cards of a tool's calls. */
export function callsOf(page: Page, tool: string): Locator {
  return chatOf(page).conversation.locator(`[data-tool="${tool}"]`)
}

/** The button that answers a question about a tool. */
export function answerButton(page: Page, answer: 'Allow' | 'Deny', tool: string): Locator {
  return page.getByRole('button', { name: `${answer} ${tool}` })
}

/** Writes a message and presses Enter. */
export async function say(page: Page, text: string): Promise<void> {
  await chatOf(page).box.fill(text)
  await chatOf(page).box.press('Enter')
}

/** Says yes once a question is there, and has been for long enough. */
export async function allow(page: Page, tool: string): Promise<void> {
  await answerButton(page, 'Allow', tool).waitFor({ timeout: 20_000 })
  await staySeen(page)
  await answerButton(page, 'Allow', tool).click()
}

/** Chooses a model server in the panel. */
export async function chooseServer(page: Page, baseURL: string, key = 'sk-test-1'): Promise<void> {
  await page.getByRole('radio', { name: 'An OpenAI-compatible endpoint' }).check()
  await page.getByRole('textbox', { name: 'Address' }).fill(baseURL)
  await page.getByRole('textbox', { name: 'Model', exact: true }).fill('test-model')
  await page.getByLabel('Key').fill(key)
}

/** A call in pieces that is allowed, a text with markup, an answer that is stopped, and one behind it. */
export async function talkToServer(page: Page, server: ModelServer): Promise<void> {
  const { box, send, stop, conversation } = chatOf(page)
  await chooseServer(page, `${server.origin}/v1`)
  server.reply(
    { deltas: calling('call_1', 'restart_service', '{"serv', 'ice": "sea', 'rch"}') },
    { deltas: saying('It is ', '<b>restarted</b>', '.\n![x](https://images.test/x.png)') },
    { deltas: saying('I count: 1, ', '2, '), hangs: true },
    { deltas: saying('As you ', 'wish.') },
  )
  await say(page, 'Restart search')
  await allow(page, 'restart_service')
  await expect(callsOf(page, 'restart_service')).toContainText('search was restarted.')
  await expect(conversation).toContainText('It is <b>restarted</b>.\n![x](https://images.test/x.png)', {
    useInnerText: true,
  })
  await expect(send).toBeEnabled()
  await say(page, 'Count')
  await expect(conversation).toContainText('I count: 1, 2,')
  await expect(send).toBeDisabled()
  await say(page, 'Thank you')
  expect(server.asked).toHaveLength(3)
  await stop.click()
  await server.asked[2]?.left
  await expect(send).toBeEnabled()
  await expect(box).toBeFocused()
  await box.press('Enter')
  await expect(conversation).toContainText('As you wish.')
  expect(server.refused).toEqual([])
  expect(new Set(server.asked.map(({ key }) => key))).toEqual(new Set(['Bearer sk-test-1']))
  expect(server.asked[0]?.tools.toSorted()).toEqual(['add_note', 'count_errors', 'restart_service'])
  expect(server.asked[3]?.messages.map(({ role }) => role)).toEqual([
    ...['system', 'user', 'assistant', 'tool', 'assistant', 'user', 'assistant', 'user'],
  ])
  expect(server.asked[3]?.messages.at(-1)?.content).toBe('Thank you')
}

/** A key that the server refuses, the right one, and the same message again. */
export async function correctKey(page: Page, server: ModelServer): Promise<void> {
  const { trouble, conversation, box } = chatOf(page)
  server.reply(
    { status: 401, message: 'Incorrect API key provided: sk-wrong.' },
    { deltas: saying('Hello.') },
  )
  await chooseServer(page, `${server.origin}/v1`, 'sk-wrong')
  await say(page, 'Hi')
  await expect(trouble).toContainText('answered 401')
  await expect(trouble).toContainText('Check apiKey.')
  await expect(trouble).not.toContainText('sk-wrong')
  await page.getByLabel('Key').fill('sk-right')
  await trouble.getByRole('button', { name: 'Try again' }).click()
  await expect(conversation).toContainText('Hello.')
  await expect(trouble.getByText('401')).toHaveCount(0)
  await expect(box).toBeFocused()
  expect(server.asked.map(({ key }) => key)).toEqual(['Bearer sk-wrong', 'Bearer sk-right'])
  expect(server.asked[1]?.messages.filter(({ role }) => role === 'user')).toHaveLength(1)
}
