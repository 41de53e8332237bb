import fc from 'fast-check'
import {
  approvalRequired,
  combined,
  dynamic,
  filtered,
  labelled,
  prefixed,
  prepared,
  renamed,
  selectTools,
  ToolExecutor,
  type ToolSource,
  Toolset,
  wrapped,
} from 'offstage'
import { describe, expect, it } from 'vitest'
import { originOf, stampOrigin } from '../../../src/tool/tool-origin.ts'
import { rootOf } from '../../../src/toolset/listed-tool.ts'
import { runs } from '../../support/runs.ts'
import { namesOf, saying, sourceForRun, sourceForStep, sourceOf, stepOf } from './sources.ts'

/** Tools with the names that every object has (P8). */
const rawNames = ['a', 'b', 'constructor', '__proto__', 'toString', 'hasOwnProperty']
const raw = rawNames.map((name) => stampOrigin(saying(name), name === 'b' ? 'builtin' : 'app'))

/** A tower under construction: the source, and which raw tool is behind each name. */
interface Tower {
  readonly source: ToolSource
  readonly behind: ReadonlyMap<string, string>
}

type Floor = (below: Tower) => Tower

const keeping =
  (wrap: (source: ToolSource) => ToolSource): Floor =>
  ({ source, behind }) => ({ source: wrap(source), behind })

const prefixFloor: Floor = ({ source, behind }) => ({
  source: prefixed(source, 'p'),
  behind: new Map(Array.from(behind, ([name, tool]) => [`p_${name}`, tool])),
})

/** Names go round: the first gets that of the second, and so on. */
const turnFloor: Floor = ({ source, behind }) => {
  const names = [...behind.keys()]
  const next = (index: number) => names[(index + 1) % names.length] as string
  return {
    source: renamed(source, Object.fromEntries(names.map((name, index) => [next(index), name]))),
    behind: new Map(names.map((name, index) => [next(index), behind.get(name) as string])),
  }
}

const halfFloor: Floor = ({ source, behind }) => {
  const kept = [...behind].filter((_each, index) => index % 2 === 0)
  return {
    source: filtered(
      source,
      kept.map(([name]) => name),
    ),
    behind: new Map(kept),
  }
}

const floors: Floor[] = [
  prefixFloor,
  turnFloor,
  halfFloor,
  keeping((source) => approvalRequired(source, 'all', () => false)),
  keeping((source) => labelled(source, { metadata: { floor: 1 }, reads: 'private' })),
  keeping((source) =>
    prepared(source, (definition) => ({ ...definition, description: `${definition.description}!` })),
  ),
  keeping((source) => wrapped(source, { before: () => {} })),
  keeping((source) => selectTools(source, { select: () => true })),
  keeping((source) => combined([source], { timeoutMs: 500 })),
  keeping((source) => dynamic(() => source)),
  keeping((source) => new Toolset(source)),
]

const towers = fc.array(fc.constantFrom(...floors), { maxLength: 8 }).map((chosen): Tower => {
  const ground: Tower = { source: sourceOf(...raw), behind: new Map(rawNames.map((name) => [name, name])) }
  return chosen.reduce((below, floor) => floor(below), ground)
})

async function inStep({ source }: Tower): Promise<ToolSource> {
  return sourceForStep(await sourceForRun(source, stepOf()), stepOf())
}

describe('a tower of wrappers', () => {
  it('P8 leads each name to its own tool, which stays what it is known by', async () => {
    const ground = new Map((await sourceOf(...raw).list()).map((tool) => [tool.definition.name, tool]))
    await fc.assert(
      fc.asyncProperty(towers, fc.boolean(), async (tower, isInRun) => {
        const source = isInRun ? await inStep(tower) : tower.source
        const tools = await source.list()
        expect(tools.map(({ definition }) => definition.name)).toEqual([...tower.behind.keys()])
        for (const tool of tools) {
          const own = ground.get(tower.behind.get(tool.definition.name) as string)
          expect(tool).toMatchObject({ fingerprint: own?.fingerprint, origin: own?.origin })
          expect(originOf(tool)).toBe(own?.origin)
          expect(rootOf(tool)).toBe(own && rootOf(own))
          const outcome = await source.call(tool.definition.name, {})
          expect(outcome).toMatchObject({ response: { text: own?.definition.name } })
          expect(await source.preflight(tool.definition.name, { n: 1 })).toMatchObject({
            kind: 'ready',
            input: { n: 1 },
            needsApproval: false,
          })
        }
      }),
      { numRuns: runs(100) },
    )
  })

  it('P8 gives no tool a name that it does not list', async () => {
    await fc.assert(
      fc.asyncProperty(towers, fc.constantFrom(...rawNames, 'nobody', 'p_a'), async (tower, name) => {
        fc.pre(!tower.behind.has(name))
        const { source } = tower
        expect(await source.call(name, {})).toMatchObject({ kind: 'failed' })
        expect(await source.preflight(name, {})).toMatchObject({ kind: 'failed' })
      }),
      { numRuns: runs(100) },
    )
  })

  it('is the same to the executor as the tools themselves', async () => {
    await fc.assert(
      fc.asyncProperty(towers, async (tower) => {
        const names = [...tower.behind.keys()]
        fc.pre(names.every((name) => name.length <= 64))
        const executor = new ToolExecutor({ tools: tower.source })
        const results = await executor.executeStep(names.map((name) => ({ name, input: {} })))
        expect(results.map(({ response }) => response.text)).toEqual([...tower.behind.values()])
      }),
      { numRuns: runs(30) },
    )
  })

  it('lists the same tools as long as nothing changes', async () => {
    const source = new Toolset(raw).prefixed('p').labelled({ reads: 'private' }).renamed({ x: 'p_a' })
    expect(await source.list()).toBe(await source.list())
    expect(await namesOf(source)).toContain('p___proto__')
  })
})
