import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from '@playwright/test'
import { startLabServer } from '../support/mcp/lab-server.ts'
import { axeViolations, prepareAxe } from './axe.ts'
import { openStory } from './demo-test.ts'
import { confirmation, staySeen } from './dialog.ts'
import { addServer, approve, callTool, mcpStory, test, toolRow } from './mcp-server.ts'

const ready = 'demo is ready: 6 tools, 1 set aside.'
const honest = 'The weather in a city today.'
const greedy = 'Before using any other tool'

test.beforeEach(({ page }) => openStory(page, 'mcp'))

test('a server shows its tools with their pins, what is flagged, and what is set aside', async ({
  page,
  server,
}) => {
  const { servers, status } = mcpStory(page)
  await addServer(page, server.url)
  await expect(status).toHaveText(ready)
  await expect(servers).toContainText('offstage-demo 1.0.0')
  await expect(toolRow(page, 'get_weather')).toContainText(honest)
  await expect(servers.getByText('new, pinned now')).toHaveCount(6)
  const flagged = toolRow(page, 'pick_number')
  await expect(flagged).toContainText('flagged')
  await expect(flagged.locator('.mcp-flags')).toContainText(/cannot be seen|hidden/)
  // The letters that no screen shows are nowhere on the page.
  expect(await servers.textContent()).not.toMatch(/[\u{E0000}-\u{E007F}]/u)
  await expect(servers.getByRole('listitem').filter({ hasText: 'set aside' }).last()).toContainText(
    'search_archive',
  )
})

test('a person says that they have read the tools, which holds until one changes and outlives a reload', async ({
  page,
  server,
}) => {
  const { servers, status } = mcpStory(page)
  const read = servers.getByRole('button', { name: 'I have read these' })
  const open = servers.getByText('not accepted yet', { exact: true })
  await addServer(page, server.url)
  await expect(status).toHaveText(ready)
  await expect(open).toHaveCount(6)
  await toolRow(page, 'get_weather').getByText('Parameters').click()
  await expect(toolRow(page, 'get_weather')).toContainText('"city"')
  await read.click()
  await expect(status).toHaveText('You have accepted 6 tools of demo, as they are now.')
  await expect(read).toBeHidden()
  await expect(open).toHaveCount(0)
  await expect(servers.getByRole('heading', { name: 'demo' })).toBeFocused()
  await servers.getByRole('button', { name: 'Change a description' }).click()
  await expect(toolRow(page, 'get_weather')).toContainText('changed, blocked')
  await expect(servers.getByText('pinned by you')).toHaveCount(5)
  // To a change a person says yes where it is shown.
  await expect(read).toBeHidden()
  await page.reload()
  await addServer(page, server.url)
  await expect(servers.getByText('pinned by you')).toHaveCount(5)
})

test('a call is asked about, runs at the server, and tells how long it took', async ({ page, server }) => {
  const { status, callStatus, result } = mcpStory(page)
  await addServer(page, server.url)
  await expect(status).toHaveText(ready)
  await callTool(page, 'get_weather')
  await expect(confirmation(page).dialog).toContainText('demo_get_weather')
  await approve(page)
  await expect(callStatus).toHaveText('demo_get_weather ended with the outcome success.')
  await expect(result).toContainText('Oslo: 14 degrees')
  await expect(result).toContainText(/Ran at its server for [\d,.]+ ms\./)
})

test('a picture is drawn, structured content is data, and a slow tool tells how far it is', async ({
  page,
  server,
}) => {
  const { status, asks, callStatus, result, events } = mcpStory(page)
  await asks.uncheck()
  await addServer(page, server.url)
  await expect(status).toHaveText(ready)
  await callTool(page, 'draw_bars')
  await expect(result.getByRole('img')).toBeVisible()
  const colours = await result.locator('canvas').evaluate((canvas) => {
    const { width, height } = canvas as HTMLCanvasElement
    const pixels = (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height).data
    const seen = new Set<string>()
    for (let at = 0; at < (pixels?.length ?? 0); at += 4) seen.add(String(pixels?.slice(at, at + 3)))
    return [...seen]
  })
  expect(colours).toEqual(['245,246,249', '36,82,199'])
  await callTool(page, 'count_words')
  await expect(result).toContainText('"words": 6')
  await callTool(page, 'count_sheep')
  await expect(callStatus).toHaveText(/^\d of 5 over the fence$/)
  await expect(result).toContainText('All 5 sheep are over the fence.')
  await expect(events.locator('[data-event="progress"]')).toHaveCount(5)
})

test('a tool asks the person in the middle of its call, and goes on with the answer', async ({
  page,
  server,
}) => {
  const { asks, status, result } = mcpStory(page)
  const dialog = page.getByRole('dialog', { name: 'A server asks you for information demo' })
  await asks.uncheck()
  await addServer(page, server.url)
  await expect(status).toHaveText(ready)
  await callTool(page, 'book_table')
  await expect(dialog).toContainText('When shall Harbour View expect you?')
  await dialog.getByRole('textbox', { name: 'people' }).fill('4')
  await dialog.getByRole('combobox', { name: 'hour' }).selectOption('21:00')
  const send = dialog.getByRole('button', { name: 'Send' })
  await expect(send).not.toHaveAttribute('aria-disabled', 'true')
  await staySeen(page)
  await send.click()
  await expect(result).toContainText('Harbour View expects 4 at 21:00.')
  await callTool(page, 'book_table')
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await expect(result).toContainText('Nothing was booked at Harbour View')
})

test('a call that is stopped ends at once', async ({ page, server }) => {
  const { asks, call, callStatus, status } = mcpStory(page)
  await asks.uncheck()
  await addServer(page, server.url)
  await expect(status).toHaveText(ready)
  await callTool(page, 'count_sheep')
  await expect(callStatus).toContainText('over the fence')
  await call.getByRole('button', { name: 'Stop' }).click()
  await expect(callStatus).toHaveText('demo_count_sheep ended with the outcome cancelled.')
})

test('a changed description blocks the tool until a person has seen both and said yes', async ({
  page,
  server,
}) => {
  const { servers, status, asks, callStatus } = mcpStory(page)
  const { dialog, deny } = confirmation(page)
  await asks.uncheck()
  await addServer(page, server.url)
  await expect(status).toHaveText(ready)
  await callTool(page, 'get_weather')
  await expect(callStatus).toHaveText('demo_get_weather ended with the outcome success.')
  await servers.getByRole('button', { name: 'Change a description' }).click()
  await expect(toolRow(page, 'get_weather')).toContainText('changed, blocked')
  await expect(servers.getByText('changed, blocked')).toHaveCount(1)
  // Nobody wanted to be asked before each call; about this, everybody is.
  await callTool(page, 'get_weather')
  const change = dialog.getByRole('group', { name: /has changed/ })
  await expect(change.getByRole('definition')).toHaveText([honest, new RegExp(greedy)])
  await deny.click()
  await expect(callStatus).toHaveText('demo_get_weather ended with the outcome denied.')
  await expect(toolRow(page, 'get_weather')).toContainText('changed, blocked')
  await callTool(page, 'get_weather')
  await expect(dialog).toContainText(greedy)
  await approve(page)
  await expect(callStatus).toHaveText('demo_get_weather ended with the outcome success.')
  await expect(toolRow(page, 'get_weather')).toContainText('pinned by you')
  await callTool(page, 'get_weather')
  await expect(callStatus).toHaveText('demo_get_weather ended with the outcome success.')
  await expect(dialog).toBeHidden()
})

test('an always-yes is no yes to what the tool became', async ({ page, server }) => {
  const { servers, status, callStatus } = mcpStory(page)
  const { dialog } = confirmation(page)
  await addServer(page, server.url)
  await expect(status).toHaveText(ready)
  await callTool(page, 'get_weather')
  await dialog.getByLabel('How long your yes holds').selectOption('always')
  await approve(page)
  await expect(page.getByRole('button', { name: 'Revoke demo_get_weather' })).toBeVisible()
  await callTool(page, 'get_weather')
  await expect(callStatus).toHaveText('demo_get_weather ended with the outcome success.')
  await servers.getByRole('button', { name: 'Change a description' }).click()
  await expect(toolRow(page, 'get_weather')).toContainText('changed, blocked')
  await callTool(page, 'get_weather')
  await expect(dialog).toContainText(greedy)
  await approve(page)
  await expect(toolRow(page, 'get_weather')).toContainText('pinned by you')
  await callTool(page, 'get_weather')
  await expect(dialog).toBeVisible()
})

test('pins outlive a reload, and a change while nobody looked is still a change', async ({
  page,
  server,
}) => {
  const { servers, status } = mcpStory(page)
  await addServer(page, server.url)
  await expect(status).toHaveText(ready)
  await page.reload()
  await addServer(page, server.url)
  await expect(status).toHaveText(ready)
  await expect(servers.getByText('pinned', { exact: true })).toHaveCount(6)
  await servers.getByRole('button', { name: 'Remove demo' }).click()
  await expect(servers).toContainText('No server was added.')
  await fetch(new URL('/change-description', server.url), { method: 'POST' })
  await addServer(page, server.url)
  await expect(toolRow(page, 'get_weather')).toContainText('changed, blocked')
})

test('the keyboard alone adds a server, calls a tool, and removes the server', async ({ page, server }) => {
  const { address, namespace, status, result } = mcpStory(page)
  await address.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(server.url)
  await page.keyboard.press('Tab')
  await expect(namespace).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(status).toHaveText(ready)
  const press = async (name: string) => {
    const target = page.getByRole('button', { name, exact: true })
    for (let presses = 0; presses < 20; presses += 1) {
      await page.keyboard.press('Tab')
      if (await target.evaluate((button) => button === document.activeElement)) break
    }
    await expect(target).toBeFocused()
    await page.keyboard.press('Enter')
  }
  await press('Call demo_pick_number')
  await expect(page.getByLabel('Tool', { exact: true })).toBeFocused()
  await press('Run')
  await approve(page)
  await expect(result).toContainText('Today it is 7.')
  await address.focus()
  await press('Remove demo')
  await expect(status).toContainText('demo was removed.')
  await expect(address).toBeFocused()
})

test('axe finds nothing on the story with a server, a result and a changed tool, nor in the dialog', async ({
  page,
  server,
}) => {
  await prepareAxe(page)
  await page.reload()
  const { servers, asks, result } = mcpStory(page)
  await asks.uncheck()
  await addServer(page, server.url)
  await callTool(page, 'draw_bars')
  await expect(result.getByRole('img')).toBeVisible()
  await servers.getByRole('button', { name: 'Change a description' }).click()
  await expect(toolRow(page, 'get_weather')).toContainText('changed, blocked')
  await addServer(page, 'nowhere', 'other')
  await expect(mcpStory(page).trouble).not.toBeEmpty()
  expect(await axeViolations(page)).toEqual([])
  await callTool(page, 'get_weather')
  await confirmation(page).dialog.waitFor()
  expect(await axeViolations(page)).toEqual([])
})

test('what cannot be a server is said before anything is asked', async ({ page, server }) => {
  const { address, namespace, trouble, servers } = mcpStory(page)
  await addServer(page, 'nowhere')
  await expect(trouble).toContainText('url must be the whole address of the server')
  await expect(address).toBeFocused()
  await addServer(page, 'http://mcp.test/mcp')
  await expect(trouble).toContainText('plain http')
  await addServer(page, server.url, 'my server')
  await expect(trouble).toContainText('namespace is "my server"')
  await expect(namespace).toBeFocused()
  await expect(servers).toContainText('No server was added.')
  await addServer(page, server.url)
  await expect(trouble).toBeHidden()
  await addServer(page, server.url)
  await expect(trouble).toContainText('The namespace "demo" is taken.')
})

test.describe('at 360 px', () => {
  test.use({ viewport: { width: 360, height: 800 } })

  test('the story with a server does not scroll sideways', async ({ page, server }) => {
    await addServer(page, server.url)
    await expect(mcpStory(page).status).toHaveText(ready)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })
})

test.describe('with trouble that is made', () => {
  test.use({ trouble: /Content.Security.Policy|connect-src|mcp\.test|CORS|Cross-Origin|ERR_|request to/ })

  test('a server that is down is said to be so, is connected once it is back, and left with the story', async ({
    page,
  }) => {
    const { servers } = mcpStory(page)
    const place = createServer()
    const port = await listen(place)
    place.close()
    await addServer(page, `http://127.0.0.1:${port}/mcp`)
    await expect(servers).toContainText('failed', { timeout: 15_000 })
    await expect(servers.locator('.trouble')).toContainText('does not answer')
    const lab = await startLabServer({ port })
    await servers.getByRole('button', { name: 'Connect again' }).click()
    await expect(servers).toContainText('ready')
    await page.getByRole('link', { name: 'Tool', exact: true }).click()
    await expect.poll(() => lab.of('DELETE').length).toBe(1)
    await lab.close()
  })

  // The demo is isolated: there the browser itself does not tell.
  test('an isolated page says of a server that allows no page that it may be that', async ({ page }) => {
    const lab = await startLabServer({ cors: false })
    await addServer(page, lab.url)
    await expect(mcpStory(page).servers.locator('.trouble')).toContainText(
      /CORS|Access-Control-Allow-Origin/i,
      {
        timeout: 15_000,
      },
    )
    await lab.close()
  })

  test('the page says that its own policy keeps it from a server elsewhere', async ({ page }) => {
    await addServer(page, 'https://mcp.test/mcp')
    await expect(mcpStory(page).servers.locator('.trouble')).toContainText('Content Security Policy', {
      timeout: 15_000,
    })
  })
})

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}
