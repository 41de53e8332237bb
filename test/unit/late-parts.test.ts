import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { latePart } from '../../src/tool/late-part.ts'
import { root } from '../run/project.ts'

const copies = join(root, 'test/.results/late-parts')

afterAll(() => rm(copies, { recursive: true, force: true }))

/** The built library without one of its files: as a page has it whose files a new release has replaced. */
async function libraryWithout(file: string): Promise<typeof import('offstage')> {
  const folder = join(copies, file.replaceAll('/', '-'))
  await mkdir(folder, { recursive: true })
  await cp(join(root, 'dist'), folder, { recursive: true, filter: (path) => !path.endsWith('/dist/demo') })
  await rm(join(folder, file))
  return import(pathToFileURL(join(folder, 'index.js')).href)
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

it.each(['agent/new-run.js', 'execution/gate.js', 'toolset/run-here.js'])(
  'a run whose %s cannot be loaded runs no call, and says what helps',
  async (file) => {
    const ran: string[] = []
    const library = await libraryWithout(file)
    await expect(agentOf(library, ran).run('go')).rejects.toThrow(
      /part of the library could not be loaded .*reload the page/s,
    )
    expect(ran).toEqual([])
  },
)

it('notes are all there without the part that packs them, which says what helps', async () => {
  const folder = join(copies, 'notes')
  await mkdir(folder, { recursive: true })
  await cp(join(root, 'dist'), folder, { recursive: true, filter: (path) => !path.endsWith('/dist/demo') })
  await rm(join(folder, 'tools/notes/note-zip.js'))
  const { NoteStore }: typeof import('offstage/tools') = await import(
    pathToFileURL(join(folder, 'tools/index.js')).href
  )
  const store = new NoteStore()
  await store.append('a.md', 'text')
  expect(await store.search('text')).toHaveLength(1)
  await expect(store.export()).rejects.toThrow(/part of the library could not be loaded .*reload the page/s)
})

it('a part that could not be loaded is fetched again the next time, and once it is there never more', async () => {
  let fetched = 0
  // Directly: Node remembers a file that was not there for as long as it runs.
  const part = latePart(async () => {
    fetched += 1
    if (fetched === 1) throw new Error('404')
    return { fetched }
  })
  await expect(part()).rejects.toThrow(/could not be loaded \(404\)/)
  expect(await Promise.all([part(), part()])).toEqual([{ fetched: 2 }, { fetched: 2 }])
  expect(part()).toEqual({ fetched: 2 })
})
