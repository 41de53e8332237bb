import { expect, type Page } from '@playwright/test'
import { openStory, test, textOf } from './demo-test.ts'
import { confirmation, waitForGuard } from './dialog.ts'

test.beforeEach(async ({ page }) => {
  await openStory(page, 'console')
  await expect(page.getByRole('status')).toHaveText('Ready.')
})

async function pick(page: Page, tool: string): Promise<void> {
  await page.getByLabel('Tool', { exact: true }).selectOption(tool)
}

async function run(page: Page, outcome: string): Promise<void> {
  await page.getByRole('button', { name: 'Run' }).click()
  await expect(page.getByRole('status')).toHaveText(`Ended with the outcome ${outcome}.`)
}

function ran(page: Page) {
  return page.getByRole('group', { name: 'Input that ran' })
}

test('the console offers the tools of the page and of the workers', async ({ page }) => {
  const names = await page.getByLabel('Tool', { exact: true }).locator('option').allInnerTexts()
  expect(names.sort()).toEqual([
    'book_room',
    'calculator',
    'count_errors',
    'count_primes',
    'restart_service',
    'roll_forever',
    'say_hello',
    'send_email',
    'split_bill',
  ])
})

test('a form of every kind of field becomes the input that runs', async ({ page }) => {
  await page.getByLabel('room').selectOption('roof')
  await page.getByLabel('people').fill('7')
  // fill() puts its text before what a number field of Firefox holds; a person selects that first.
  await page.getByLabel('hours').press('ControlOrMeta+a')
  await page.getByLabel('hours').pressSequentially('2.5')
  await page.getByLabel('catering').selectOption('false')
  await page.getByLabel('equipment').fill('["screen"]')
  await page.getByLabel('contact').fill('{ "name": "Kim" }')
  await run(page, 'success')
  expect(JSON.parse(await textOf(ran(page)))).toEqual({
    room: 'roof',
    people: 7,
    hours: 2.5,
    catering: false,
    equipment: ['screen'],
    contact: { name: 'Kim' },
  })
})

test('labels carry the description, and required fields are marked', async ({ page }) => {
  await expect(page.getByLabel('contact required')).toHaveAccessibleDescription(/who answers questions/)
  await expect(page.getByLabel('people required')).toHaveAccessibleDescription(
    /integer, at least 1, at most 20/,
  )
  await expect(page.getByLabel('note optional')).toBeVisible()
})

test('a required field that is left empty is the gate’s to refuse', async ({ page }) => {
  await page.getByLabel('contact').fill('{ "name": "Kim" }')
  await run(page, 'invalid')
  await expect(page.getByRole('group', { name: 'What the model reads' })).toContainText('people')
})

test('a field that holds no JSON says so and nothing runs', async ({ page }) => {
  await page.getByLabel('people').fill('7')
  await page.getByLabel('contact').fill('{ name: Kim }')
  await page.getByRole('button', { name: 'Run' }).click()
  await expect(page.getByRole('status')).toHaveText('A field cannot be read.')
  await expect(page.getByText(/This is not JSON/)).toBeVisible()
  await expect(page.getByLabel('contact')).toBeFocused()
  await expect(page.getByText('Nothing was sent yet.')).toBeVisible()
})

test('a call that needs approval asks in the dialog, and only for such an input', async ({ page }) => {
  await page.getByLabel('people').fill('12')
  await page.getByLabel('contact').fill('{ "name": "Kim" }')
  await page.getByRole('button', { name: 'Run' }).click()
  await waitForGuard(page)
  await confirmation(page).approve.click()
  await expect(page.getByRole('status')).toHaveText('Ended with the outcome success.')
  const types = await page.locator('.events .event-type').allInnerTexts()
  expect(types).toEqual(['call', 'approval-requested', 'approval-answered', 'call-started', 'result'])
})

test('a worker tool runs in a worker, and the calculator on the page', async ({ page }) => {
  await pick(page, 'count_primes')
  await page.getByLabel('below').fill('1000')
  await run(page, 'success')
  await expect(page.getByRole('group', { name: 'What the model reads' })).toHaveText('168 primes below 1000')
  await expect(page.locator('.result-head')).toContainText('in a worker')
  await pick(page, 'calculator')
  await page.getByLabel('expression').fill('2 ** 100')
  await run(page, 'success')
  await expect(page.getByRole('group', { name: 'What the model reads' })).toHaveText(
    '1267650600228229401496703205376',
  )
  await expect(page.locator('.result-head')).toContainText('on the page')
})

test('raw JSON begins with what the form holds and reaches the gate as it is written', async ({ page }) => {
  await pick(page, 'split_bill')
  await page.getByLabel('people').fill('4')
  await page.getByText('as raw JSON').click()
  const raw = page.getByLabel('Input, as a model would write it')
  expect(JSON.parse(await raw.inputValue())).toEqual({ people: 4, tip: 'usual' })
  await raw.fill('{ "amount": 10, "people": 2, "tip": "none" ')
  await run(page, 'invalid')
  await raw.fill('{ "amount": 10, "people": 2, "tip": "none" }')
  await run(page, 'success')
  await expect(page.getByRole('group', { name: 'What the model reads' })).toHaveText('5.00 € each of 10.00 €')
})

test('a running call can be stopped', async ({ page }) => {
  await pick(page, 'roll_forever')
  await page.getByRole('button', { name: 'Run' }).click()
  await expect(page.locator('.events')).toContainText('call-started')
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByRole('status')).toHaveText('Ended with the outcome cancelled.')
})
