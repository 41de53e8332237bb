import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Agent,
  type ApprovalRequest,
  Grants,
  memoryStore,
  ToolExecutor,
  type ToolExecutorOptions,
  withoutFence,
} from 'offstage'
import { type Companion, startCompanion } from 'offstage/companion'
import { ScriptedModel } from 'offstage/testing'
import { CLITool, type CLIToolOptions, cliTextsEn, cliTextsZh } from 'offstage/tools'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pairedPage } from '../../../support/companion/paired-page.ts'
import { fenced } from '../../../support/fenced.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'offstage-cli-')))
let companion: Companion
let page: Awaited<ReturnType<typeof pairedPage>>

beforeAll(async () => {
  writeFileSync(join(folder, 'one.txt'), 'first line\nsecond line\n')
  execFileSync('git', ['init', '-q', folder])
  companion = await startCompanion({
    allow: ['ls', 'grep', 'cat', 'git', 'echo'],
    roots: [folder],
    commands: [{ argv: ['sleep', '30'] }],
  })
  page = await pairedPage(companion.pairingLink())
})

afterAll(async () => {
  await companion.close()
  rmSync(folder, { recursive: true })
})

/** The gate over the tool, and the questions that were asked. */
function gateOver(
  options: CLIToolOptions = {},
  confirm: ToolExecutorOptions['confirm'] = () => true,
  more: Partial<ToolExecutorOptions> = {},
) {
  const asked: ApprovalRequest[] = []
  const answer = typeof confirm === 'function' ? confirm : () => false
  const gate = new ToolExecutor({
    tools: [new CLITool({ companion: page, ...options })],
    confirm: (request) => {
      asked.push(request)
      return answer(request)
    },
    ...more,
  })
  const run = (command: string) => gate.execute({ name: 'shell', input: { command } })
  return { asked, run, gate }
}

describe('CLITool', () => {
  it('shows exactly what would run, and runs that', async () => {
    const { asked, run } = gateOver()
    const result = await run("grep -n 'second line' one.txt")
    const { argv, program } = result.response.data as { argv: string[]; program: string }
    expect(asked[0]?.reasons).toEqual([
      `This runs on your computer, exactly so: ${JSON.stringify(argv)}`,
      `Program: ${program}`,
      `Folder: ${folder}`,
    ])
    expect(argv).toEqual(expect.arrayContaining(['-n', 'second line', 'one.txt']))
    expect(result).toMatchObject({
      outcome: 'success',
      origin: 'builtin',
      response: { text: expect.stringContaining('2:second line'), data: { exitCode: 0, folder } },
    })
  })

  it('asks each time: no yes is remembered', async () => {
    const mayRemember: unknown[] = []
    const grants = new Grants({ store: memoryStore() })
    const confirm = (request: ApprovalRequest) => {
      mayRemember.push(request.mayRemember)
      return true
    }
    const { asked, run, gate } = gateOver({}, confirm, { grants })
    await run('echo hi')
    await run('echo hi')
    expect(asked).toHaveLength(2)
    expect(mayRemember).toEqual([[], []])
    // What was remembered for something else does not count either.
    const [listed] = await gate.list()
    await grants.add({
      ...{ toolName: 'shell', origin: 'builtin', fingerprint: listed?.fingerprint ?? '' },
      ...{ duration: 'session', scope: 'tool', input: { command: 'echo hi' } },
    })
    await run('echo hi')
    expect(asked).toHaveLength(3)
  })

  it('runs nothing without a yes', async () => {
    const { run } = gateOver({}, () => false)
    expect(await run('echo hi')).toMatchObject({ outcome: 'denied' })
  })

  it('asks again when the person changes the command, with what would run then', async () => {
    const { asked, run } = gateOver({}, ({ input }) =>
      input.command === 'echo one' ? { approved: true, input: { command: 'echo two' } } : true,
    )
    const result = await run('echo one')
    expect(asked.map(({ input }) => input.command)).toEqual(['echo one', 'echo two'])
    expect(asked[1]?.reasons[0]).toContain('"two"')
    expect(result).toMatchObject({
      outcome: 'success',
      response: { text: expect.stringMatching(/>>\ntwo\n/) },
    })
  })

  it('runs nothing when what would run has changed since it was shown', async () => {
    // Its digest is of what stands in this repository's settings, too, or the plan is refused: either way nothing runs.
    const other = await startCompanion({ allow: ['echo'], roots: [tmpdir()] })
    const elsewhere = await pairedPage(other.pairingLink())
    let current = page
    const { run } = gateOver({ companion: () => current }, () => {
      current = elsewhere
      return true
    })
    const result = await run('echo hi')
    expect(result.outcome).toBe('error')
    expect(result.response.text).toContain('What would run is not what was shown')
    await elsewhere.close()
    await other.close()
  })

  it('asks nobody about a command that the companion refuses, and says why', async () => {
    const { asked, run } = gateOver()
    for (const command of ['rm -rf .', 'cat one.txt | grep x', 'cat /etc/passwd', 'git push']) {
      const result = await run(command)
      expect([command, result.outcome]).toEqual([command, 'error'])
      expect(result.response.text.length).toBeGreaterThan(20)
    }
    expect(asked).toEqual([])
  })

  it('allowedCommands and argPolicy only narrow', async () => {
    const plans: unknown[] = []
    const { asked, run } = gateOver({
      allowedCommands: ['ls', 'echo', 'rm'],
      argPolicy: (plan) => {
        plans.push(plan)
        if (plan.words.includes('boom')) throw new Error('boom')
        return plan.words.includes('secret') ? 'no secrets here' : true
      },
    })
    expect(withoutFence((await run('grep a one.txt')).response.text)).toBe(
      'The program "grep" is not allowed on this page. Use one of these: ls, echo, rm.',
    )
    expect((await run('rm one.txt')).outcome).toBe('error')
    expect((await run('echo secret')).response.text).toContain('no secrets here')
    expect((await run('echo boom')).outcome).toBe('error')
    expect(asked).toEqual([])
    expect(await run('echo fine')).toMatchObject({ outcome: 'success', response: { text: fenced('fine') } })
    expect(plans.at(-1)).toMatchObject({ words: ['echo', 'fine'], folder })
    expect(plans.at(-1)).not.toHaveProperty('digest')
  })

  it('a command that fails is partial, with its exit code', async () => {
    const { run } = gateOver()
    const result = await run('grep nowhere-in-it one.txt')
    expect(result).toMatchObject({ outcome: 'partial', response: { data: { exitCode: 1 } } })
  })

  it('cuts output, and ends a command at its deadline', async () => {
    const { run } = gateOver({ maxOutputChars: 5, timeoutMs: 300 })
    const cut = await run('echo 0123456789')
    expect(cut).toMatchObject({ outcome: 'partial', response: { data: { truncated: true } } })
    expect(cut.response.text).not.toContain('0123456789')
    const late = await run('sleep 30')
    expect(late.outcome).toBe('error')
    expect(late.response.data).toMatchObject({ exitCode: null })
  })

  it('stops a command when the call is cancelled', async () => {
    const { gate } = gateOver({ timeoutMs: 60_000 })
    const abort = new AbortController()
    const running = gate.execute({ name: 'shell', input: { command: 'sleep 30' } }, { signal: abort.signal })
    setTimeout(() => abort.abort(), 300)
    expect(await running).toMatchObject({ outcome: 'cancelled' })
  })

  it('without a companion says how to start one, and asks nobody', async () => {
    const { asked, run } = gateOver({ companion: () => undefined })
    const { outcome, response } = await run('ls')
    expect(outcome).toBe('error')
    expect(response.text).toContain('npx offstage-companion --allow git,ls,grep --root . --origin')
    expect(asked).toEqual([])
  })

  it('a yes that is given after a pause is to what was shown then', async () => {
    const model = () =>
      new ScriptedModel([{ calls: [{ name: 'shell', input: { command: 'echo hi' } }] }, 'done'])
    const agent = new Agent({ model: model(), tools: [new CLITool({ companion: page })], confirm: 'pause' })
    const paused = await agent.run('go')
    const [pending] = paused.pending ?? []
    expect(pending?.reasons[0]).toContain('["echo","hi"]')
    const saved = JSON.parse(JSON.stringify(paused.state))
    // The page was loaded anew, and is paired with a companion of another folder by now.
    const other = await startCompanion({ allow: ['echo'], roots: [tmpdir()] })
    const elsewhere = await pairedPage(other.pairingLink())
    const later = new Agent({
      model: new ScriptedModel(['done']),
      tools: [new CLITool({ companion: elsewhere })],
      confirm: 'pause',
    })
    const id = pending?.callId ?? ''
    const again = await later.resume(saved, { [id]: { approved: true } })
    expect(again).toMatchObject({ status: 'paused', pending: [{ callId: id }] })
    const done = await later.resume(again.state as never, { [id]: { approved: true } })
    expect(done).toMatchObject({ status: 'done', finalOutput: 'done' })
    await elsewhere.close()
    await other.close()
  })
})

it('every sentence of CLITool is there in English and Chinese', () => {
  expect(Object.keys(cliTextsZh)).toEqual(Object.keys(cliTextsEn))
  const problem = {
    argv: 'ARGV',
    program: 'PROGRAM',
    folder: 'FOLDER',
    start: 'START',
    reason: 'REASON',
    allowed: 'ALL',
  }
  for (const texts of [cliTextsEn, cliTextsZh]) {
    for (const text of Object.values(texts)) {
      const said = [typeof text === 'function' ? text(problem) : text].flat()
      expect(said.join('').length).toBeGreaterThan(5)
      expect(said.join('')).not.toContain('undefined')
    }
    expect(texts.question(problem)).toEqual(
      ['ARGV', 'PROGRAM', 'FOLDER'].map((name) => expect.stringContaining(name)),
    )
    expect(texts.noCompanion(problem)).toMatch(/REASON.*START/)
  }
})
