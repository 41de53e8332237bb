import { cp, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { root } from '../run/project.ts'

const copies = join(root, 'test/.results/late-parts')

afterAll(() => rm(copies, { recursive: true, force: true }))

/** The built library without one of its files: as a page has it whose files a new release has replaced. */
async function libraryWithout(file: string): Promise<{ library: typeof import('offstage'); path: string }> {
  const folder = join(copies, file.replaceAll('/', '-'))
  await mkdir(folder, { recursive: true })
  await cp(join(root, 'dist'), folder, { recursive: true, filter: (path) => !path.endsWith('/dist/demo') })
  const path = join(folder, file)
  await rename(path, `${path}.away`)
  return { library: await import(pathToFileURL(join(folder, 'index.js')).href), path }
}

function agentOf({ Agent, tool }: typeof import('offstage'), ran: string[]) {
  const act = tool({
    name: 'act',
    description: 'Acts.',
    execute: () => {
      ran.push('act')
    },
  })
  let asked = 0
  const model = {
    name: 'scripted',
    async *stream() {
      asked += 1
      if (asked === 1) yield { type: 'call' as const, name: 'act', input: {} }
      else yield { type: 'text-delta' as const, text: 'done' }
      yield { type: 'finish' as const, reason: 'stop' as const }
    },
  }
  return new Agent({ model, tools: [act] })
}

it.each(['agent/new-run.js', 'execution/gate.js'])(
  'a run whose %s cannot be loaded runs no call, and says what helps',
  async (file) => {
    const ran: string[] = []
    const { library } = await libraryWithout(file)
    await expect(agentOf(library, ran).run('go')).rejects.toThrow(
      /part of the library could not be loaded .*reload the page/s,
    )
    expect(ran).toEqual([])
  },
)

it('a part that could not be loaded is fetched again, where the platform lets it', async () => {
  const ran: string[] = []
  const { library, path } = await libraryWithout('agent/new-run.js')
  const agent = agentOf(library, ran)
  const first: unknown = await agent.run('go').catch((error: unknown) => error)
  expect(first).toBeInstanceOf(Error)
  await rename(`${path}.away`, path)
  const second = await agent.run('go').then(
    ({ finalOutput }) => finalOutput,
    (error: unknown) => String(error),
  )
  // Node remembers a file that was not there for as long as it runs.
  expect(['done', String(first)]).toContain(second)
})
