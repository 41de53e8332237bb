import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Shell } from '../../../../src/companion/shell/shell.ts'
import { attempt, type Fixture, makeFixture, runUnguarded, SECRET } from './shell-fixture.ts'

let fixture: Fixture
let shell: Shell
let config: string

beforeAll(async () => {
  fixture = makeFixture()
  shell = await fixture.shell({ allow: ['git'] })
  config = readFileSync(join(fixture.project, '.git/config'), 'utf8')
  writeFileSync(join(fixture.project, '.gitattributes'), '*.md diff=trap filter=trap\n')
  writeFileSync(join(fixture.outside, 'more-config'), '[core]\n\tfsmonitor = EVIL\n')
})

beforeEach(() => writeConfig(''))

afterAll(async () => {
  await shell.close()
  fixture.remove()
})

/** Sets what the repository says of itself; `EVIL` is the program that leaves a trace. */
function writeConfig(added: string): void {
  const text = added.replaceAll('EVIL', fixture.evil).replaceAll('OUTSIDE', fixture.outside)
  writeFileSync(join(fixture.project, '.git/config'), `${config}${text}\n`)
  // Else git would trust the times of its last look, and convert nothing.
  writeFileSync(join(fixture.project, 'README.md'), '# Project\n\nHello, trap!\n')
}

const READING = [
  'git status',
  'git diff',
  'git log -p -2',
  'git show',
  'git blame README.md',
  'git grep Hello',
]

describe('a repository that brings', () => {
  test.each([
    ['a watcher', '[core]\n\tfsmonitor = EVIL', 'git status'],
    ['an outside difference program', '[diff]\n\texternal = EVIL', 'git diff'],
    ['a driver with a command', '[diff "trap"]\n\tcommand = EVIL', 'git diff'],
    ['a text conversion', '[diff "trap"]\n\ttextconv = EVIL', 'git diff'],
    ['a clean filter', '[filter "trap"]\n\tclean = EVIL', 'git diff'],
    ['a filter process', '[filter "trap"]\n\tprocess = EVIL', 'git diff'],
    ['a pager', '[core]\n\tpager = EVIL', 'git grep -O Hello'],
    ['an ssh command', '[core]\n\tsshCommand = EVIL', 'git ls-remote ssh://127.0.0.1/x'],
    ['an alias', '[alias]\n\ttrap = !EVIL', 'git trap'],
    ['a program that checks signatures', '[gpg]\n\tprogram = EVIL', undefined],
    ['a pretty format that checks signatures', '[format]\n\tpretty = %G?', undefined],
    ['a lender of objects', '[remote "o"]\n\tpromisor = true\n\tuploadpack = EVIL\n\turl = .', undefined],
    ['a remote helper', '[remote "o"]\n\tvcs = trap', undefined],
    ['a hook by setting', '[hook "trap"]\n\tcommand = EVIL\n\tevent = post-index-change', undefined],
  ])('%s runs nothing', async (_what, added, trap) => {
    writeConfig(added)
    if (trap !== undefined) {
      await runUnguarded(trap, fixture.project)
      expect(fixture.ranEvil(), 'the trap works').toBe(true)
      writeConfig(added)
    }
    for (const command of [...READING, trap ?? 'git status', 'git log --format=%G?'])
      await attempt(shell, command)
    expect(fixture.ranEvil()).toBe(false)
  })

  test('another file of settings is refused, whatever is in that', async () => {
    writeFileSync(join(fixture.outside, 'more-config'), `[core]\n\tfsmonitor = ${fixture.evil}\n`)
    writeConfig('[include]\n\tpath = OUTSIDE/more-config')
    await runUnguarded('git status', fixture.project)
    expect(fixture.ranEvil(), 'the trap works').toBe(true)
    const refused = await attempt(shell, 'git status')
    expect(fixture.ranEvil()).toBe(false)
    expect(refused).toMatchObject({ refused: true, code: 'unsafeSetting' })
    writeConfig('[includeIf "onbranch:main"]\n\tpath = OUTSIDE/more-config')
    expect(await attempt(shell, 'git status')).toMatchObject({ code: 'unsafeSetting' })
  })

  test('settings of one working tree are looked at too', async () => {
    writeConfig('[extensions]\n\tworktreeConfig = true')
    writeFileSync(join(fixture.project, '.git/config.worktree'), `[core]\n\tfsmonitor = ${fixture.evil}\n`)
    expect(await attempt(shell, 'git status')).toMatchObject({ code: 'unsafeSetting' })
    expect(fixture.ranEvil()).toBe(false)
    rmSync(join(fixture.project, '.git/config.worktree'))
  })

  test('another working tree shows nothing of it', async () => {
    writeConfig('[core]\n\tworktree = OUTSIDE')
    for (const command of ['git grep --untracked CANARY', 'git diff', 'git status']) {
      expect((await attempt(shell, command)).text).not.toContain('secret.txt')
    }
  })

  test('a list of commits to pass over, elsewhere, shows nothing of it', async () => {
    writeConfig('[blame]\n\tignoreRevsFile = OUTSIDE/secret.txt')
    expect(await runUnguarded('git blame README.md', fixture.project)).toContain(SECRET)
    expect((await attempt(shell, 'git blame README.md')).text).not.toContain(SECRET)
  })

  test('hooks, aliases and the built-in watcher is read all the same, and runs none of them', async () => {
    writeFileSync(join(fixture.project, 'post-index-change'), readFileSync(fixture.evil), { mode: 0o755 })
    writeConfig('[core]\n\thooksPath = .\n\tfsmonitor = true\n[alias]\n\tstatus = !EVIL\n\tst = !EVIL')
    expect(await attempt(shell, 'git status -s')).toMatchObject({ status: 'success' })
    expect(fixture.ranEvil()).toBe(false)
    expect(await attempt(shell, 'git st')).toMatchObject({ code: 'unknownSubCommand' })
  })

  test('a submodule with a filter of its own runs nothing', async () => {
    const inner = join(fixture.project, 'inner')
    const author = '-c user.name=a -c user.email=a'
    await runUnguarded('git init -q inner', fixture.project)
    writeFileSync(join(inner, '.gitattributes'), '* filter=trap\n')
    await runUnguarded(`git add . && git ${author} commit -q -m i && cd .. && git add inner`, inner)
    const settings = `[filter "trap"]\n\tclean = ${fixture.evil}\n`
    writeFileSync(join(inner, '.git/config'), settings, { flag: 'a' })
    // Of the same length, so that git must compare what it holds.
    writeFileSync(join(inner, '.gitattributes'), '*\tfilter=trap\n')
    await runUnguarded('git status', fixture.project)
    expect(fixture.ranEvil(), 'the trap works').toBe(true)
    for (const command of [...READING, 'git diff --cached']) await attempt(shell, command)
    expect(fixture.ranEvil()).toBe(false)
    fixture.git('rm', '-q', '-f', '--cached', 'inner')
    rmSync(inner, { recursive: true })
  })
})

describe('a repository that is not all in the roots is refused:', () => {
  test('one above the root', async () => {
    const below = await fixture.shell({ allow: ['git'], roots: [join(fixture.project, 'src')] })
    expect(await attempt(below, 'git show HEAD:README.md')).toMatchObject({ code: 'noRepository' })
    await below.close()
  })

  test.each([
    ['its folder is elsewhere', '.git-file'],
    ['its folder is a link', 'link'],
    ['its objects are a link', 'objects'],
    ['it borrows objects', 'alternates'],
    ['it borrows from one that borrows', 'lender'],
    ['its index is a link, and its settings are inside', 'index'],
  ])('%s', async (_what, kind) => {
    const folder = join(fixture.base, `roots-${kind.replace('.', '')}`)
    mkdirSync(folder)
    const real = join(fixture.project, '.git')
    const git = join(folder, '.git')
    if (kind === '.git-file') writeFileSync(git, `gitdir: ${real}\n`)
    else if (kind === 'link') symlinkSync(real, git)
    else await runUnguarded('git init -q .', folder)
    if (kind === 'objects') {
      rmSync(join(git, 'objects'), { recursive: true })
      symlinkSync(join(real, 'objects'), join(git, 'objects'))
    }
    if (kind === 'alternates')
      writeFileSync(join(git, 'objects/info/alternates'), `${join(real, 'objects')}\n`)
    if (kind === 'lender') {
      await runUnguarded('git init -q lender', folder)
      writeFileSync(join(git, 'objects/info/alternates'), `${folder}/lender/.git/objects\n`)
      writeFileSync(join(folder, 'lender/.git/objects/info/alternates'), `${join(real, 'objects')}\n`)
    }
    if (kind === 'index') {
      await runUnguarded(`mv .git common && mkdir own && echo 'ref: refs/heads/x' > own/HEAD`, folder)
      writeFileSync(join(folder, 'own/commondir'), '../common')
      writeFileSync(git, 'gitdir: own')
      symlinkSync(join(real, 'index'), join(folder, 'own/index'))
      writeFileSync(join(folder, 'common/objects/info/alternates'), '')
    }
    const commit = fixture.git('rev-parse', 'v1').trim()
    const [open, closed] = await Promise.all([
      fixture.shell({ allow: ['git'], roots: [folder, fixture.project] }),
      fixture.shell({ allow: ['git'], roots: [folder] }),
    ])
    const [command, shown] =
      kind === 'index' ? ['git ls-files', 'README.md'] : [`git show ${commit}:README.md`, 'Hello']
    expect((await attempt(open, command)).text).toContain(shown)
    expect(await attempt(closed, command)).toMatchObject({ code: 'repositoryOutside' })
    await Promise.all([open.close(), closed.close()])
  })
})

test('git -C names another root, and nothing else', async () => {
  const two = await fixture.shell({ allow: ['git'], roots: [fixture.outside, fixture.project] })
  expect(await attempt(two, `git -C ${fixture.project} branch --show-current`)).toMatchObject({
    text: 'main',
  })
  expect(await attempt(two, 'git -C ../project branch --show-current')).toMatchObject({ text: 'main' })
  expect(await attempt(two, `git -C ${fixture.project}/src status`)).toMatchObject({ code: 'noRoot' })
  await two.close()
})
