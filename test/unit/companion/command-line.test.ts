import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCompanion } from 'offstage/companion'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { readCommandLine } from '../../../src/companion/command-line.ts'
import { companionInfo } from '../../../src/companion/companion-info.ts'
import { root } from '../../run/project.ts'
import { runBinToEnd } from '../../support/companion/companion-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'offstage-command-line-'))
afterAll(() => rmSync(folder, { recursive: true }))

function config(value: unknown): string {
  const path = join(folder, 'companion.json')
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}

describe('the command line', () => {
  it('reads every option', () => {
    const line = ['--allow', 'git,ls', '--allow', 'grep', '--root', '.', '--root', 'src', '--port', '0']
    const more = ['--origin', 'http://localhost:5173', '--mcp', `files=npx -y "a server" './my docs'`]
    expect(readCommandLine([...line, ...more])).toEqual({
      allow: ['git', 'ls', 'grep'],
      roots: ['.', 'src'],
      port: 0,
      origins: ['http://localhost:5173'],
      mcp: { files: { command: 'npx', args: ['-y', 'a server', './my docs'] } },
    })
    expect(readCommandLine(['--help'])).toBe('help')
  })

  it('adds to what the config file says, whose folders are meant from where it is', () => {
    const path = config({
      allow: ['ls'],
      roots: ['docs'],
      port: 4000,
      commands: [{ argv: ['npm', 'test'] }],
      env: { LANG: 'C' },
      mcp: { memory: { command: 'node', args: ['m.js'], env: { FILE: 'x' } } },
    })
    expect(readCommandLine(['--config', path, '--allow', 'git', '--port', '5000'])).toEqual({
      allow: ['ls', 'git'],
      roots: [join(folder, 'docs')],
      port: 5000,
      commands: [{ argv: ['npm', 'test'] }],
      env: { LANG: 'C' },
      mcp: { memory: { command: 'node', args: ['m.js'], env: { FILE: 'x' }, cwd: folder } },
    })
  })

  it.each([
    [['--alow', 'git'], '--alow'],
    [['git'], 'git'],
    [['--mcp', 'npx server'], 'write a name, "=" and a command'],
    [['--mcp', 'files='], 'write a name, "=" and a command'],
    [['--mcp', 'files="a b'], 'A quote is not closed'],
    [['--config', '/nowhere/companion.json'], 'The file /nowhere/companion.json cannot be read.'],
  ])('refuses %j', (line, message) => {
    expect(() => readCommandLine(line)).toThrow(message)
  })

  it.each([
    ['not JSON', 'is not JSON'],
    [[], 'must hold one JSON object'],
    [{ alow: [] }, 'there is no "alow"'],
    [{ allow: 'git' }, '"allow" must be a list of programs'],
    [{ commands: ['npm test'] }, '"commands" must be a list of'],
    [{ mcp: { a: { command: 'x', env: { KEY: 1 } } } }, '"mcp" must be an object of'],
    [{ mcp: { a: { command: 'x', shell: true } } }, '"mcp" must be an object of'],
  ])('refuses the config file %j, and repeats none of it', (value, message) => {
    expect(() => readCommandLine(['--config', config(value)])).toThrow(message)
  })
})

describe('startCompanion', () => {
  it.each([
    [{ origins: ['*'] }, 'The origin "*" is none.'],
    [{ origins: ['null'] }, 'The origin "null" is none.'],
    [{ origins: ['http://localhost:5173/app'] }, 'Give scheme, host and port of your page and nothing else'],
    [{ origins: ['localhost:5173'] }, 'such as http://localhost:5173'],
    [{ port: 70_000 }, 'port is 70000'],
    [{ idleMs: 0 }, 'idleMs is 0'],
    [{ mcp: { companion: { command: 'x' } } }, 'needs another name'],
    [{ mcp: { 'a/b': { command: 'x' } } }, 'needs another name'],
    [{ mcp: { a: { command: '' } } }, 'The MCP server "a" has no command.'],
    [{ allow: ['python3'] }, 'python3'],
    [{ roots: ['/nowhere/at/all'] }, '/nowhere/at/all'],
    [{ origin: ['http://localhost:5173'] }, 'There is no option "origin".'],
  ])('refuses %j', async (options, message) => {
    await expect(startCompanion(options as never)).rejects.toThrow(message)
  })

  it('says that a port is taken', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as { port: number }
    await expect(startCompanion({ port })).rejects.toThrow(`Port ${port} is taken.`)
  })

  it('names the version of the package', () => {
    expect(companionInfo.version).toBe(packageJson.version)
  })
})

describe('the bin', () => {
  it('helps', async () => {
    const { code, output } = await runBinToEnd(['--help'])
    expect(code).toBe(0)
    for (const option of ['--allow', '--root', '--origin', '--port', '--mcp', '--config', 'TAVILY_API_KEY']) {
      expect(output).toContain(option)
    }
  })

  it('says in one line what is wrong, and ends with 1', async () => {
    const { code, output } = await runBinToEnd(['--origin', '*'])
    expect(code).toBe(1)
    expect(output).toMatch(/^The origin "\*" is none\. [^\n]*\n$/)
  })

  it('says how to install the SDK of MCP when it is missing', async () => {
    const alone = join(folder, 'alone')
    cpSync(join(root, 'dist/companion'), join(alone, 'companion'), { recursive: true })
    writeFileSync(join(alone, 'package.json'), '{ "type": "module" }')
    const { code, output } = await runBinToEnd([], join(alone, 'companion/bin.js'))
    expect(code).toBe(1)
    expect(output).toContain('npm install @modelcontextprotocol/sdk')
    expect(output.trim().split('\n')).toHaveLength(1)
  })
})
