import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { chromiumLaunch } from '../run/chromium.ts'
import { firefoxLaunch } from '../run/firefox.ts'
import { openStory, test, textOf, watchPage } from './demo-test.ts'
import { confirmation, waitForGuard } from './dialog.ts'
import {
  answerButton,
  approveCall,
  booked,
  callCard,
  expectTrip,
  lastWords,
  planTrip,
  questions,
} from './trip.ts'

const answer = [
  'Booked as T-2: NJ 467, Friday 21:40.',
  'Booked as T-1: Hotel am Prater, 2 nights.',
  'The traveller likes a seat at the aisle and eats vegetarian.',
  'For the way back I suggest RJX 166, Sunday 15:30, 64 €.',
].join(' ')

async function answerTheQuestion(page: Page): Promise<void> {
  const { dialog } = confirmation(page)
  await answerButton(page, 'ask_traveller').click()
  await dialog.getByRole('combobox', { name: 'seat' }).selectOption('aisle')
  await dialog.getByRole('combobox', { name: 'meals' }).selectOption('vegetarian')
  await waitForGuard(page)
  await confirmation(page).approve.click()
  await expect(callCard(page, 'ask_traveller')).toContainText('at the aisle and eats vegetarian')
}

test('F03 a run pauses on two approvals and a question; it is answered after a reload and in a second tab, and ends', async ({
  page,
  baseURL,
}) => {
  await planTrip(page)
  await expect(callCard(page, 'find_trains')).toHaveText([/success/, /success/])
  await page.reload()
  await expectTrip(page, 'The trip waits for 3 answers.')
  for (const tool of questions) await expect(answerButton(page, tool)).toBeVisible()
  await expect(booked(page)).toHaveCount(0)

  await answerTheQuestion(page)
  await expectTrip(page, 'The trip waits for 2 answers.')
  await page.reload()
  await expectTrip(page, 'The trip waits for 2 answers.')
  await expect(callCard(page, 'ask_traveller')).toContainText('at the aisle and eats vegetarian')
  await expect(answerButton(page, 'ask_traveller')).toHaveCount(0)

  const second = await page.context().newPage()
  const expectNoTrouble = await watchPage(second, baseURL)
  await openStory(second, 'pause')
  await expectTrip(second, 'The trip waits for 2 answers.')
  await approveCall(second, 'book_hotel')
  await expectTrip(page, 'The trip waits for one answer.')
  await expect(callCard(page, 'book_hotel')).toContainText('Booked as T-1')

  await approveCall(page, 'book_train')
  for (const tab of [page, second]) {
    await expectTrip(tab, 'The trip is planned.')
    await expect(lastWords(tab)).toContainText(answer)
    await expect(booked(tab)).toHaveText(['T-1 Hotel am Prater, 2 nights', 'T-2 NJ 467, Friday 21:40, 59 €'])
  }
  await page.reload()
  await expect(lastWords(page)).toContainText(answer)
  await expect(page.getByRole('button', { name: /^Answer \w+_/ })).toHaveCount(0)
  await expectNoTrouble()
})

test('F03 a run that paused in one browser process is answered in the next one, over the same profile', async ({
  playwright,
  browserName,
  baseURL,
}) => {
  // It starts two browsers.
  test.slow()
  const profile = mkdtempSync(join(tmpdir(), 'offstage-profile-'))
  const launch = { chromium: chromiumLaunch, firefox: firefoxLaunch }[browserName as 'chromium' | 'firefox']
  const inProcess = async (use: (page: Page) => Promise<void>) => {
    const context = await playwright[browserName].launchPersistentContext(profile, {
      ...launch,
      ...(baseURL && { baseURL }),
    })
    try {
      const page = await context.newPage()
      const expectNoTrouble = await watchPage(page, baseURL)
      await use(page)
      await expectNoTrouble()
    } finally {
      await context.close()
    }
  }
  try {
    await inProcess(async (page) => {
      await planTrip(page)
      await approveCall(page, 'book_hotel')
      await expectTrip(page, 'The trip waits for 2 answers.')
    })
    await inProcess(async (page) => {
      await openStory(page, 'pause')
      await expectTrip(page, 'The trip waits for 2 answers.')
      await expect(callCard(page, 'book_hotel')).toContainText('Booked as T-1')
      await expect(answerButton(page, 'book_hotel')).toHaveCount(0)
      await answerTheQuestion(page)
      await approveCall(page, 'book_train')
      await expect(lastWords(page)).toContainText(answer)
      await expect(booked(page)).toHaveCount(2)
    })
  } finally {
    rmSync(profile, { recursive: true, force: true })
  }
})

test('an answer from a tab that missed that another one went on is not used, and the tab says so', async ({
  page,
}) => {
  await planTrip(page)
  const late = await page.context().newPage()
  await late.addInitScript(() => {
    // As in a page that the browser had frozen: no message reaches it.
    BroadcastChannel.prototype.addEventListener = () => {}
  })
  await openStory(late, 'pause')
  await expectTrip(late, 'The trip waits for 3 answers.')
  await approveCall(page, 'book_train')
  await expectTrip(late, 'The trip waits for 3 answers.')
  await answerButton(late, 'book_train').click()
  await waitForGuard(late)
  await confirmation(late).approve.click()
  await expectTrip(
    late,
    'Another tab has gone on with this trip, so your answer was not used. This is how it stands now. The trip waits for 2 answers.',
  )
  await expect(callCard(late, 'book_train')).toContainText('Booked as T-1')
  await expect(booked(late)).toHaveCount(1)
})

test('a question that another tab has answered is taken back here, and its dialog closes', async ({
  page,
}) => {
  await planTrip(page)
  const second = await page.context().newPage()
  await openStory(second, 'pause')
  await answerButton(second, 'book_hotel').click()
  await confirmation(second).dialog.waitFor()
  await approveCall(page, 'book_hotel')
  await expect(confirmation(second).dialog).toBeHidden()
  await expectTrip(second, 'No answer was given here. The trip waits for 2 answers.')
  await expect(callCard(second, 'book_hotel')).toContainText('Booked as T-1')
})

test('leaving the story, or the page, while a question is open answers nothing', async ({ page }) => {
  const { dialog } = confirmation(page)
  await planTrip(page)
  await answerButton(page, 'book_train').click()
  await dialog.waitFor()
  await page.evaluate(() => {
    location.hash = '#tool'
  })
  await expect(dialog).toBeHidden()
  await openStory(page, 'pause')
  await expectTrip(page, 'The trip waits for 3 answers.')
  await answerButton(page, 'book_train').click()
  await dialog.waitFor()
  await page.reload()
  await expectTrip(page, 'The trip waits for 3 answers.')
  await approveCall(page, 'book_train')
  await expect(booked(page)).toHaveCount(1)
})

test('all that waits is asked in one dialog, which lists it; what is denied is not done', async ({
  page,
}) => {
  await planTrip(page)
  const { dialog, deny, approve, reason } = confirmation(page)
  await page.getByRole('button', { name: 'Answer all' }).click()
  await expect(dialog.getByRole('navigation').getByRole('button')).toHaveText([
    /book_train/,
    /book_hotel/,
    /ask_traveller/,
  ])
  await waitForGuard(page)
  await approve.click()
  await expect(dialog.getByRole('heading', { name: 'Allow this tool to run?' })).toBeVisible()
  await expect(dialog).toContainText('2 of 3')
  await reason.fill('I sleep at my aunt’s.')
  await deny.click()
  await expect(dialog).toContainText('3 of 3')
  await waitForGuard(page)
  await approve.click()
  await expectTrip(page, 'The trip is planned.')
  await expect(callCard(page, 'book_hotel')).toContainText('I sleep at my aunt’s.')
  await expect(lastWords(page)).toContainText('Booked as T-1: NJ 467, Friday 21:40. No hotel is booked.')
  await expect(booked(page)).toHaveCount(1)
})

test('a run whose page was closed while the agent worked goes on when the person says so', async ({
  page,
}) => {
  // The worker with the trains never loads, so that the run stands in the middle of a step.
  await page.route('**/trains.worker*', () => {})
  await openStory(page, 'pause')
  await page.getByRole('button', { name: 'Plan the trip' }).click()
  await expectTrip(page, 'The agent works.')
  const second = await page.context().newPage()
  await openStory(second, 'pause')
  await expectTrip(second, 'The agent works on the trip in another tab.')
  await page.close()
  await second.reload()
  await expectTrip(second, 'The trip is not finished: go on where the agent stopped.')
  await second.getByRole('button', { name: 'Go on' }).click()
  await expectTrip(second, 'The trip waits for 3 answers.')
  await expect(callCard(second, 'find_trains')).toHaveCount(2)
})

test('the keyboard alone plans the trip and answers, and the focus is never lost', async ({ page }) => {
  await openStory(page, 'pause')
  await page.getByRole('button', { name: 'Plan the trip' }).focus()
  await page.keyboard.press('Enter')
  await expectTrip(page, 'The trip waits for 3 answers.')
  await expect(page.getByRole('button', { name: 'Plan the trip' })).toBeFocused()
  await answerButton(page, 'book_train').focus()
  for (const [index, tool] of questions.entries()) {
    await expect(answerButton(page, tool)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(confirmation(page).deny).toBeFocused()
    await waitForGuard(page)
    await page.keyboard.press('Tab')
    await expect(confirmation(page).approve).toBeFocused()
    await page.keyboard.press('Space')
    await expect(callCard(page, tool)).toContainText('success')
    await expect(page.getByRole('button', { name: /^Answer \w+_/ })).toHaveCount(2 - index)
  }
  await expect(lastWords(page)).toBeFocused()
})

test('what is stored is shown as it is, and starting over forgets it', async ({ page }) => {
  await planTrip(page)
  await approveCall(page, 'book_train')
  const stored = page.getByRole('group', { name: 'The run, as IndexedDB has it' })
  expect(JSON.parse(await textOf(stored))).toMatchObject({ agent: 'travel', status: 'paused' })
  await page.getByRole('button', { name: 'Start over' }).click()
  await expectTrip(page, 'Nothing is planned yet.')
  await expect(page.getByText('No run is stored.')).toBeVisible()
  await expect(booked(page)).toHaveCount(0)
  await page.reload()
  await expectTrip(page, 'Nothing is planned yet.')
})
