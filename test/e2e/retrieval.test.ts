import { expect, type Page } from '@playwright/test'
import { openStory, statusOf, test, textOf } from './demo-test.ts'

const searching = '500 tools of 25 servers'
const asking = 'An agent with all of them'

function retrievalStory(page: Page) {
  const panel = page.getByRole('region', { name: searching, exact: true })
  const agent = page.getByRole('region', { name: asking, exact: true })
  return {
    panel,
    input: panel.getByRole('searchbox', { name: 'What is to be done?' }),
    status: statusOf(page, searching),
    hits: panel.locator('.hit'),
    forbid: (server: string) => panel.getByRole('button', { name: `Forbid the server ${server}` }).first(),
    server: (name: string) => panel.getByRole('button', { name, exact: true }),
    figure: (name: string) => panel.locator('.figure', { hasText: name }).locator('dd'),
    agent,
    agentStatus: statusOf(page, asking),
    ask: agent.getByRole('button', { name: 'Ask the agent' }),
    offered: (name: string) => agent.locator(`[data-offered="${name}"]`),
    card: (name: string) => agent.locator(`[data-tool="${name}"]`),
  }
}

test.beforeEach(async ({ page }) => {
  await openStory(page, 'retrieval')
  await expect(retrievalStory(page).status).toHaveText('The index is ready.')
})

test('what is typed finds the right tool first, marks its words and tells what the prompt saves', async ({
  page,
}) => {
  const { input, hits, status, figure } = retrievalStory(page)
  await input.pressSequentially('book meeting rooms')
  await expect(status).toHaveText('8 of 500 tools are found, calendar_book_room first.')
  await expect(hits).toHaveCount(8)
  const first = hits.first()
  await expect(first.locator('.hit-name mark')).toHaveText(['book', 'room'])
  await expect(first).toContainText('matched: book, meeting, rooms')
  const scores = (await hits.locator('.score-number').allInnerTexts()).map(Number)
  expect(scores).toEqual([...scores].sort((a, b) => b - a))
  const tokens = await Promise.all(
    ['All 500 schemas', 'The 8 found'].map(async (name) =>
      Number((await textOf(figure(name))).replace(/\D/g, '')),
    ),
  )
  const [all = 0, found = 0] = tokens
  expect(all).toBeGreaterThan(20_000)
  expect(found).toBeGreaterThan(0)
  expect(await textOf(figure('Saved'))).toBe(`${((1 - found / all) * 100).toFixed(1)} %`)
  await expect(figure('This search took')).toHaveText(/^[\d,.]+ ms$/)
  await expect(figure('The index took')).toHaveText(/^[\d,.]+ ms$/)
})

test('the last of several searches is shown, Chinese is found, and what nothing answers is said plainly', async ({
  page,
}) => {
  const { panel, input, hits, status, figure } = retrievalStory(page)
  // Three searches are under way at once.
  const examples = ['where is my package', 'calendar_book_room', '查询附近的餐馆'].map((name) =>
    panel.getByRole('button', { name, exact: true }),
  )
  const buttons = await Promise.all(examples.map((each) => each.elementHandle()))
  await page.evaluate((all) => {
    for (const button of all) (button as HTMLElement | null)?.click()
  }, buttons)
  await expect(hits.first()).toHaveAttribute('data-tool', 'caipu_query_restaurant')
  await expect(hits.first().locator('mark').first()).toHaveText(/餐馆/)
  await examples[1]?.click()
  await expect(hits.first()).toHaveAttribute('data-tool', 'calendar_book_room')
  await input.fill('knit a pullover')
  await expect(status).toHaveText('Nothing was found.')
  await expect(panel).toContainText('Ask for one thing at a time')
  await expect(hits).toHaveCount(0)
  await expect(figure('Saved')).toHaveText('–')
})

test('a server that is forbidden is not found, and the keyboard allows it again', async ({ page }) => {
  const { panel, input, hits, status, forbid } = retrievalStory(page)
  await input.fill('book a meeting room')
  await expect(hits.first()).toHaveAttribute('data-tool', 'calendar_book_room')
  await forbid('calendar').press('Enter')
  await expect(status).toHaveText(/^8 of 480 tools are found, (?!calendar)/)
  await expect(hits).toHaveCount(8)
  await expect(hits.filter({ hasText: 'calendar_' })).toHaveCount(0)
  await expect(panel.getByRole('button', { name: 'Allow calendar again' })).toBeFocused()
  await expect(panel).toContainText('24 of 25 servers are allowed; forbidden: calendar')
  await page.keyboard.press('Enter')
  await expect(hits.first()).toHaveAttribute('data-tool', 'calendar_book_room')
  await expect(panel).toContainText('25 of 25 servers are allowed')
})

test('the agent is offered eight tools, searches for one more and calls it', async ({ page }) => {
  const { ask, agent, agentStatus, offered, card } = retrievalStory(page)
  await ask.click()
  await expect(agentStatus).toHaveText('Done.', { timeout: 20_000 })
  const lists = agent.locator('.offered')
  await expect(lists).toHaveCount(2)
  await expect(lists.first()).toContainText('Step 1: the model is offered 8 of 500 tools and tool_search')
  await expect(lists.first().locator('[data-why="hit"]')).toHaveCount(8)
  await expect(offered('logs_search_log_lines')).toContainText('fits: errors, logs')
  await expect(lists.last()).toContainText('Step 3: 3 more')
  await expect(offered('domains_renew_certificate')).toHaveText(/found: renew, certificate/)
  await expect(card('domains_renew_certificate')).toContainText('pay.shop.example was renewed')
  await expect(agent.locator('.transcript > .model').last()).toContainText('people can pay again')
})

test('the agent neither finds nor calls a tool of a server that is forbidden', async ({ page }) => {
  const { panel, server, ask, agent, agentStatus, offered, card } = retrievalStory(page)
  await panel.getByText('25 of 25 servers are allowed').click()
  await server('domains').click()
  await ask.click()
  await expect(agentStatus).toHaveText('Done.', { timeout: 20_000 })
  await expect(card('tool_search')).not.toContainText('domains_')
  await expect(offered('domains_renew_certificate')).toHaveCount(0)
  await expect(agent).toContainText('I have no tool that renews it')
})
