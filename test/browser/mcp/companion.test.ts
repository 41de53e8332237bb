import { ToolExecutor } from 'offstage'
import { connectCompanion, memoryTokenStore } from 'offstage/mcp'
import { CLITool } from 'offstage/tools'
import { expect, it, onTestFinished } from 'vitest'
import { commands } from 'vitest/browser'
import { fenced } from '../../support/fenced.ts'

declare module 'vitest/browser' {
  interface BrowserCommands {
    startCompanionFor(origin: string): Promise<string>
    endCompanion(link: string): Promise<void>
  }
}

it('a page pairs with a companion, lists its tools and runs a command', async () => {
  const link = await commands.startCompanionFor(location.origin)
  onTestFinished(() => commands.endCompanion(link))
  const companion = await connectCompanion(link, { tokenStore: memoryTokenStore() })
  onTestFinished(() => companion.close())
  expect((await companion.list()).map(({ definition }) => definition.name)).toEqual([
    'companion_shell',
    'companion_web_search',
  ])
  const gate = new ToolExecutor({ tools: [new CLITool({ companion })], confirm: () => true })
  expect(await gate.execute({ name: 'shell', input: { command: 'echo hello' } })).toMatchObject({
    outcome: 'success',
    response: { text: fenced('hello') },
  })
  // The code was for one page, once.
  const again = connectCompanion(link, { tokenStore: memoryTokenStore() })
  await expect(again).rejects.toMatchObject({ code: 'link-used' })
})
