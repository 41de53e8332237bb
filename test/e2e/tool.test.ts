import { expect } from '@playwright/test'
import { openStory, test, textOf } from './demo-test.ts'

test.beforeEach(async ({ page }) => openStory(page, 'tool'))

test('the first story opens without an address and shows the tool beside its JSON Schema', async ({
  page,
}) => {
  await page.goto('./')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('A tool and its schema')
  await expect(page.getByRole('group', { name: 'split-bill.ts' })).toContainText("name: 'split_bill'")
  const seen = page.getByRole('group', { name: 'Name, description and parameters' })
  expect(JSON.parse(await textOf(seen))).toMatchObject({
    name: 'split_bill',
    parameters: { type: 'object', required: ['amount', 'people'], properties: { tip: { default: 'usual' } } },
  })
})

test('a typed input runs through the gate and its default is filled in', async ({ page }) => {
  await page.getByLabel('Input, as a model would write it').fill('{ "amount": 100, "people": 4 }')
  await page.getByRole('button', { name: 'Run' }).click()
  await expect(page.getByRole('status')).toHaveText('Ended with the outcome success.')
  await expect(page.getByRole('group', { name: 'What the model reads' })).toHaveText(
    '27.50 € each of 110.00 €',
  )
  await expect(page.getByRole('group', { name: 'Input that ran' })).toContainText('"tip": "usual"')
})

test('an unknown key is dropped and reported', async ({ page }) => {
  await page.getByRole('button', { name: 'An unknown key' }).click()
  await expect(page.getByText('Unknown keys that were dropped: currency')).toBeVisible()
  await expect(page.getByRole('group', { name: 'Input that ran' })).not.toContainText('currency')
})

for (const [example, words] of [
  ['Nobody pays', 'people'],
  ['A word for a number', 'amount'],
  ['Cut-off JSON', 'cut off at character 24'],
] as const) {
  test(`the example "${example}" does not run and tells the model what to send`, async ({ page }) => {
    await page.getByRole('button', { name: example }).click()
    await expect(page.getByRole('status')).toHaveText('Ended with the outcome invalid.')
    await expect(page.getByRole('group', { name: 'What the model reads' })).toContainText(words)
    await expect(page.getByText('The tool did not run.')).toBeVisible()
  })
}
