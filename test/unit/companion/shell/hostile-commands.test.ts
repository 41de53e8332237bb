import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Shell } from '../../../../src/companion/shell/shell.ts'
import { attempt, type Fixture, makeFixture, runUnguarded, SECRET } from './shell-fixture.ts'

let fixture: Fixture
let shell: Shell

beforeAll(async () => {
  fixture = makeFixture()
  shell = await fixture.shell({ maxOutputChars: 100_000 })
})

afterAll(async () => {
  await shell.close()
  fixture.remove()
})

/** `EVIL` is a program that leaves a trace, `OUTSIDE` a folder beside the root, `ROOT` the root. */
function written(command: string): string {
  return command
    .replaceAll('EVIL', fixture.evil)
    .replaceAll('OUTSIDE', fixture.outside)
    .replaceAll('ROOT', fixture.project)
}

/** Commands that run a program, write, delete, or show what is outside of the root; with the case that they are of. */
const hostile: Readonly<Record<string, readonly string[]>> = {
  I01: [
    'find . -exec touch x {} +',
    'find . -exec EVIL {} \\;',
    'find . -execdir EVIL {} \\;',
    'find . -ok EVIL {} \\;',
    'find . -okdir EVIL {} \\;',
    'find . -name "*.ts" -delete',
    'find src -type f -a -delete',
  ],
  I03: [
    'find . -fprint0 x',
    'find . -fprint x',
    'find . -fprintf x %p',
    'find . -fls x',
    'find -files0-from OUTSIDE/secret.txt',
    'find -L . -name secret.txt -ls',
    'find -H link-out',
    'find . -follow -name secret.txt',
    'find OUTSIDE -name secret.txt',
    'find . -newer OUTSIDE/secret.txt',
    'sort -oFILE README.md',
    'sort -ro FILE README.md',
    'sort --out=FILE README.md',
    'awk "BEGIN{system(\\"EVIL\\")}"',
    'awk \'{print > "x"}\' README.md',
    'sed -n "1e EVIL" README.md',
    'sed -i s/Hello/Bye/ README.md',
    'sed -n "r OUTSIDE/secret.txt" README.md',
    'perl -ne \'system("EVIL")\' README.md',
    'node -pe 1',
    'python3 -Bc 1',
  ],
  I05: [
    'echo $(EVIL)',
    'echo `EVIL`',
    'echo "$(EVIL)"',
    'cat $HOME/.config/x',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is for a shell.
    'cat ${IFS}OUTSIDE/secret.txt',
    'echo =id',
    'cat ~/x',
    'ls *',
    'cat ../out*/secret.txt',
    'cat ../outsid?/secret.txt',
    'cat {README.md,../outside/secret.txt}',
    'cat $env:APPDATA\\x',
    '(PATH=/tmp; git status)',
    "echo $'\\x41'",
    'cat <(EVIL)',
  ],
  I06: [
    'git status; EVIL',
    'git status && EVIL',
    'git status || EVIL',
    'git status | EVIL',
    'git status & EVIL',
    'git status\nEVIL',
    'git status\r\nEVIL',
    'echo hi > x',
    'echo hi >> README.md',
    'cat < OUTSIDE/secret.txt',
    'echo a\0b',
    "echo 'open",
  ],
  I08: [
    'env FOO=1 rm README.md',
    'FOO=1 git status',
    'xargs -a README.md EVIL',
    'timeout 5 rm README.md',
    'nice rm README.md',
    'watch rm README.md',
    'sh -c EVIL',
    'bash -c EVIL',
    'npx x',
    'npm run evil',
    'make -f README.md',
    'python3 -c 1',
    'sudo ls',
    'busybox sh -c EVIL',
    './evil.sh',
    'EVIL',
    'evil.sh',
    '/usr/bin/git status',
    'rm README.md',
    'tee x',
    'rg --pre EVIL Hello',
  ],
  I10: [
    'git show --format=x --output=f',
    'git log -p --output f',
    'git diff --outp=f',
    'git ls-remote --upload-pack=EVIL .',
    'git ls-remote --upload-p=EVIL .',
    'git fetch-pack --exec=EVIL .',
    'git -c core.pager=EVIL log',
    'git -c alias.x=!EVIL x',
    'git -ccore.fsmonitor=EVIL status',
    'git --config-env=core.fsmonitor=HOME status',
    'git --exec-path=ROOT log',
    'git -C / status',
    'git -C OUTSIDE status',
    'git --git-dir=OUTSIDE status',
    'git --work-tree=OUTSIDE grep --untracked CANARY',
    'git -p log',
    'git grep -OEVIL Hello',
    'git grep -O EVIL Hello',
    'git grep -nOEVIL Hello',
    'git grep --open-files-in-pager=EVIL Hello',
    'git grep --open=EVIL Hello',
    'git grep --no-index CANARY OUTSIDE',
    'git grep -f OUTSIDE/secret.txt',
    'git diff --ext-diff',
    'git diff --no-index README.md OUTSIDE/secret.txt',
    'git diff --no-ind README.md OUTSIDE/secret.txt',
    'git diff README.md OUTSIDE/secret.txt',
    'git diff -- README.md ../outside/secret.txt',
    'git diff -O../outside/secret.txt',
    'git blame --contents=OUTSIDE/secret.txt README.md',
    'git blame --contents OUTSIDE/secret.txt README.md',
    'git blame --ignore-revs-file=../outside/secret.txt README.md',
    'git blame -S ../outside/secret.txt README.md',
    'git log --show-signature',
    "git log '--format=%G?'",
    'git log --pretty=tformat:%GS',
    'git log --format %GK',
    'git ls-files -X ../outside/secret.txt -o',
    'git branch evil',
    'git branch -D feature',
    'git branch -m feature other',
    'git branch --edit-description',
    'git tag evil',
    'git tag -d v1',
    'git tag -l -d v1',
    'git config core.fsmonitor EVIL',
    'git config --get-all x',
    'git checkout v1',
    'git clean -fdx',
    'git reset --hard',
    'git commit -am x',
    'git stash',
    'git rebase -x EVIL HEAD~1',
    'git rebase --exe=EVIL HEAD~1',
    'git bisect run EVIL',
    'git difftool -x EVIL',
    'git submodule foreach EVIL',
    'git archive -o f HEAD',
    'git clone -u EVIL . f',
    'git clone ext::EVIL f',
    'git worktree add f',
    'git upload-pack .',
    'git help -w git',
    'git evil',
  ],
  I11: [
    'tar --checkpoint=1 --checkpoint-action=exec=EVIL -cf a.tar .',
    'tar -I EVIL -cf a .',
    'zip x README.md -T -TT EVIL',
    'go test -exec EVIL',
    'fd -x EVIL',
    'curl -o f file:///etc/passwd',
    'curl -so f file://OUTSIDE/secret.txt',
    'ssh -oProxyCommand=EVIL h',
  ],
  'I03 (reading elsewhere)': [
    'grep -f OUTSIDE/secret.txt README.md',
    'grep -rfOUTSIDE/secret.txt .',
    'grep -R CANARY .',
    'grep --dereference-recursive CANARY .',
    'grep -r CANARY . OUTSIDE',
    'grep --exclude-from=OUTSIDE/secret.txt -r CANARY .',
    'wc --files0-from=OUTSIDE/secret.txt',
    'date -f OUTSIDE/secret.txt',
    'date -r OUTSIDE/secret.txt',
    'date -s 2020-01-01',
    'date 010203042020',
    'tail -f README.md',
    'tail --pid=1 -f README.md',
    'ls --color=always',
    'ls -l OUTSIDE',
    'ls ..',
  ],
  'J01, J03': [
    'cat ROOT-evil/x',
    'cat ROOT/../project-evil/x',
    'cat ../project-evil/x',
    'cat OUTSIDE/secret.txt',
    'cat README.md ../outside/secret.txt',
    'cat -- ../outside/secret.txt',
    'cat link-file',
    'cat link-out/secret.txt',
    'cat link-in/../../outside/secret.txt',
    'cat dangling',
    'cat missing/../../outside/secret.txt',
    'head -n1 link-out/secret.txt',
    'grep CANARY link-file',
    'ls link-out/',
    'cat /etc/passwd',
    'cat /proc/self/environ',
    'cat /dev/zero',
    'head -c 5 /dev/urandom',
  ],
  J13: [
    "git log -- ':(top)../outside'",
    "git diff -- ':(glob)../outside/**'",
    "git ls-files ':/../outside'",
    "git grep CANARY -- ':!x' ../outside",
    "cat '**/../../outside/secret.txt'",
  ],
}

const all = Object.entries(hostile).flatMap(([id, commands]) =>
  commands.map((command) => [id, command] as const),
)

// What they do is seen in what is there afterwards and in what they show, not in what is said of them.
describe('a hostile command has no effect', () => {
  let before: string
  beforeAll(() => {
    before = fixture.look()
  })

  test.each(all)('%s %j', async (_id, command) => {
    const result = await attempt(shell, written(command))
    expect(fixture.ranEvil()).toBe(false)
    expect(result.text).not.toContain(SECRET)
    expect(result.text).not.toContain('root:')
    expect(fixture.look() === before).toBe(true)
  })

  test('and there are at least 80 of them', () => {
    expect(all.length).toBeGreaterThan(80)
  })
})

test.each([
  'find . -maxdepth 1 -name README.md -exec EVIL {} \\;',
  'echo $(EVIL)',
  'git grep -OEVIL Hello',
  'git -c core.fsmonitor=EVIL status',
  'git log -p --output=made; test -e made && rm made && EVIL',
])('without the shell\'s rules "%s" leaves a trace', async (command) => {
  await runUnguarded(written(command), fixture.project)
  expect(fixture.ranEvil()).toBe(true)
})

test.each([
  'cat link-file',
  'grep -R CANARY .',
  'git diff --no-index README.md OUTSIDE/secret.txt',
  'git blame --contents=OUTSIDE/secret.txt README.md',
  'cat ROOT/../project-evil/x',
])('without the shell\'s rules "%s" shows the secret', async (command) => {
  expect(await runUnguarded(written(command), fixture.project)).toContain(SECRET)
})

describe('a refusal says what, where, and what to do instead:', () => {
  test.each([
    ['git -c a=b status', '"-c" (word 2) is not allowed before the sub-command of git.'],
    [
      'git push',
      'git push (word 2) is not allowed: only sub-commands that read may run. Write one of status, log',
    ],
    ['git diff --outp=f', '"--outp" (word 3) is not allowed for git diff.'],
    ['find . -delete', '"-delete" (word 3) is not allowed for find. Flags must be written in full'],
    [
      'rm x',
      '"rm" (word 1) is not among the commands that may run here. Use one of these, by its name alone: git,',
    ],
    [
      'cat ../outside/secret.txt',
      '"../outside/secret.txt" (word 2) of cat leads out of the folders that may be read.',
    ],
    ['git status | wc', '"|" at character 12 is not allowed: there is no shell'],
    [
      '  echo $HOME',
      '"$HOME" at character 8 is not allowed: there is no shell that would put something in its place.',
    ],
    ['git branch new', '"new" (word 3) is not allowed: without --list, git branch could change something.'],
    [
      "git log '--format=%G?'",
      '"%G?" (word 3) is not allowed: %G makes git run a program that checks signatures.',
    ],
    ['head --lines', '"--lines" (word 2) of head needs a value.'],
    ['rm\u202e x', '"rm\\u{202e}'],
  ])('%s', async (command, text) => {
    expect(await shell.plan(command)).toMatchObject({ refused: true, text: expect.stringContaining(text) })
  })
})
