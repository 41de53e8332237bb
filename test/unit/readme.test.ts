import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'test/.results/readme')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const lines = readme.split('\n')
const blocks = [...readme.matchAll(/^```ts(?: file=(\S+))?\n([\s\S]*?)^```$/gm)].map(
  ([, file, code], index) => ({
    file: file ?? `block-${index + 1}.ts`,
    code: code as string,
  }),
)

/** What the examples import but do not show. */
const companions: Record<string, string> = {
  'get-weather.ts':
    `${blocks[0]?.code.split('const registry')[0]?.replace('const getWeather', 'export const getWeather')}`.replace(
      'ToolRegistry, ',
      '',
    ),
  'transfer-money.ts': blocks.find(({ code }) => code.includes('export const transferMoney'))?.code ?? '',
  'worker-tools.ts': `import { WorkerToolset } from 'offstage'\nexport const workerTools = new WorkerToolset(() => new Worker('tools.js'))\n`,
  'model.ts': `import { ScriptedModel } from 'offstage/testing'\nexport const model = new ScriptedModel(['Yes.'])\n`,
  'session.ts': blocks.find(({ code }) => code.includes('export const session'))?.code ?? '',
  'tsconfig.json': JSON.stringify({ extends: '../../../tsconfig.json', include: ['.'] }),
}

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const { file, code } of blocks) writeFileSync(join(folder, file), code)
  for (const [file, text] of Object.entries(companions)) writeFileSync(join(folder, file), text)
})

describe('the README', () => {
  it('shows code within 15 lines, and the worker within 12 lines of code after that', () => {
    expect(lines.findIndex((line) => line.startsWith('```ts'))).toBeLessThan(15)
    const [, worker, page] = blocks
    const codeLines = `${worker?.code}${page?.code}`.split('\n').filter((line) => line.trim() !== '')
    expect(codeLines.length).toBeLessThanOrEqual(12)
  })

  it('has only examples that compile', () => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
    expect(stdout).toBe('')
    expect(status).toBe(0)
  })

  it('starts with an example that prints what it promises', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    await import(/* @vite-ignore */ join(folder, 'block-1.ts'))
    expect(log.mock.calls).toEqual([['Oslo: sun for 3 days']])
    log.mockRestore()
  })

  it('states the threat model in five lines', () => {
    const start = lines.indexOf('## Threat model in five lines')
    expect(lines.slice(start).filter((line) => /^\d\. /.test(line))).toHaveLength(5)
  })
})
