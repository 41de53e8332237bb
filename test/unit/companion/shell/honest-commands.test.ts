import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Shell } from '../../../../src/companion/shell/shell.ts'
import { attempt, type Fixture, makeFixture } from './shell-fixture.ts'

let fixture: Fixture
let shell: Shell

beforeAll(async () => {
  fixture = makeFixture()
  shell = await fixture.shell()
})

afterAll(async () => {
  await shell.close()
  fixture.remove()
})

const honest: readonly [command: string, output: string | RegExp][] = [
  ['git status', /On branch main[\s\S]*modified: +README\.md/],
  ['git status -sb', /^## main\n M README\.md/],
  ['git status --porcelain=v1 -uno', ' M README.md'],
  ['git log --oneline', /^\w+ Second commit\n\w+ First commit$/],
  ['git log -1 --format="%an: %s"', 'Ada: Second commit'],
  ['git log -n 1 --pretty=format:%s', 'Second commit'],
  ['git log --oneline -- README.md', /^\w+ First commit$/],
  ['git log --oneline src/a.ts', /Second commit\n\w+ First commit$/],
  ["git log -S'TODO #42' --format=%s", 'Second commit'],
  ['git log v1..HEAD --format=%s --author Ada', 'Second commit'],
  ['git log --since="2020-01-01 00:00" --date=short --format=%ad -1', '2026-01-02'],
  ['git show HEAD~1:README.md', '# Project\n\nHello, world.'],
  ['git show --stat --format=%s HEAD', /Second commit[\s\S]*3 files changed/],
  ['git diff', /-Hello, world\.\n\+Hello, world!/],
  ['git diff --stat v1 HEAD -- src', /src\/a\.ts \| 2 \+-/],
  ['git diff --cached', '(no output)'],
  ['git diff -U0 README.md', /@@ -3 \+3 @@/],
  ['git blame -L 2,2 src/a.ts', /Ada 2026-01-02 .* 2\) export const b = 3/],
  ['git grep -n "TODO #"', 'src/a.ts:2:export const b = 3 // TODO #42'],
  ['git grep -c const v1 -- src', 'v1:src/a.ts:2'],
  ['git branch -a', '  feature\n* main'],
  ['git branch --list "feat*"', '  feature'],
  ['git branch --show-current', 'main'],
  ['git branch --merged', '  feature\n* main'],
  ['git tag --list', 'v1'],
  ['git rev-parse --abbrev-ref HEAD', 'main'],
  ['git rev-parse --short=7 v1', /^\w{7}$/],
  ['git ls-files', '-dash.txt\nREADME.md\nevil.sh\nmy notes.txt\nsrc/a.ts'],
  ['git ls-files -o --exclude-standard', 'dangling\nlink-file\nlink-in\nlink-out'],
  ['git shortlog -sn', '     2\tAda'],
  ['git describe --tags --long', /^v1-1-g\w+$/],
  ['ls', /^-dash\.txt\nREADME\.md/],
  ['ls -la src', /a\.ts$/],
  ['ls -1 -- src', 'a.ts'],
  ['cat README.md', '# Project\n\nHello, world!'],
  ["cat 'my notes.txt' | wc".slice(0, 18), /^one\ntwo/],
  ['cat my\\ notes.txt -n', /^ +1\tone/],
  ['cat -- -dash.txt', 'dash'],
  ['cat ./src/../README.md', /Hello/],
  ['cat link-in/a.ts', /const a/],
  ['head -3 "my notes.txt"', 'one\ntwo\nthree'],
  [
    'head --lines=1 README.md src/a.ts',
    '==> README.md <==\n# Project\n\n==> src/a.ts <==\nexport const a = 1',
  ],
  ['tail -n 1 "my notes.txt"', 'twelve'],
  ['wc -l "my notes.txt"', '12 my notes.txt'],
  ['grep -rn "const b" src', 'src/a.ts:2:export const b = 3 // TODO #42'],
  ["grep -E '^(one|two)$' 'my notes.txt'", 'one\ntwo'],
  ['grep -A1 two "my notes.txt"', 'two\nthree'],
  ['grep -r --include="*.ts" -l TODO .', './src/a.ts'],
  ['grep -e "-h" README.md', /exit code 1/],
  ['find . -name "*.ts" -type f', './src/a.ts'],
  ['find src README.md -maxdepth 1 -not -name a.ts', 'src\nREADME.md'],
  ["find . \\( -name '*.md' -o -name '*.ts' \\) -newermt 2020-01-01", /README\.md/],
  ['pwd', /\/project$/],
  ['date -u +%Y', /^\d{4}$/],
  ['date -u -d "2026-01-02 00:00" +%F', '2026-01-02'],
  ['echo hello "big  world"', 'hello big  world'],
  ['echo a#b # c', 'a#b # c'],
]

describe('an honest command', () => {
  test.each(honest)('%s works', async (command, output) => {
    const result = await attempt(shell, command)
    if (typeof output === 'string') expect(result.text).toBe(output)
    else expect(result.text).toMatch(output)
    expect(result).toHaveProperty('status', command.includes('"-h"') ? 'partial' : 'success')
  })

  test('of none leaves anything behind', () => {
    expect(fixture.git('status', '--porcelain', '-uno')).toBe(' M README.md\n')
    expect(fixture.ranEvil()).toBe(false)
  })
})
