import { type Flag, type FlagTable, flags, type Grammar } from './grammar.ts'

const DATES: Flag = {
  value: [
    'iso',
    'iso8601',
    'iso-strict',
    'short',
    'relative',
    'local',
    'rfc',
    'raw',
    'human',
    'unix',
    'default',
  ],
}

const SORTS: Flag = {
  value: ['refname', '-refname', 'committerdate', '-committerdate', 'version:refname', '-version:refname'],
}

/** What an outside difference or conversion program could be told in a repository's own settings. */
const NO_PROGRAMS = ['--no-ext-diff', '--no-textconv']

// A submodule is read by a git of its own, without what keeps this one from running programs.
const NO_SUBMODULES = '--ignore-submodules=all'

const difference: FlagTable = {
  none: `--stat --shortstat --numstat --summary --compact-summary --dirstat --name-only --name-status -p --patch -u -s
    --no-patch --raw -w --ignore-all-space -b --ignore-space-change -W --function-context --ignore-blank-lines
    --ignore-space-at-eol --full-index --minimal --patience --histogram --no-renames -M --find-renames -C --find-copies
    --pickaxe-regex -R -z`,
  needs: { text: '-S -G --diff-filter' },
  may: { count: '-U --unified --abbrev' },
  choice: { '--word-diff': { value: ['plain', 'porcelain', 'none'], optional: true } },
}

const history: Grammar = {
  flags: flags({
    none: `${difference.none} --oneline --graph --all --reverse --merges --no-merges --first-parent --follow --topo-order
      --date-order --author-date-order --left-right --cherry-pick --abbrev-commit --no-abbrev-commit -i
      --regexp-ignore-case -E -F --no-decorate --all-match --invert-grep --source -m -c --cc -g`,
    needs: {
      count: '-n --max-count --skip',
      text: `${difference.needs?.text} --since --after --until --before --author --committer --grep -L`,
      format: '--format',
    },
    may: { ...difference.may, format: '--pretty', text: '--branches --tags --remotes' },
    choice: {
      ...difference.choice,
      '--date': DATES,
      '--decorate': { value: ['short', 'full', 'auto', 'no'], optional: true },
    },
  }),
  operands: { kinds: 'revisions' },
  number: '-n',
  always: [...NO_PROGRAMS, NO_SUBMODULES],
}

const listing: FlagTable = {
  none: '-l --list -i --ignore-case',
  choice: {
    '--sort': SORTS,
    '--contains --no-contains --merged --no-merged --points-at': { value: 'revision', usual: 'HEAD' },
  },
}

/** The sub-commands of git that only read, by name. All others are refused, and with them every alias. */
export const gitGrammars: Readonly<Record<string, Grammar>> = {
  status: {
    flags: flags({
      none: '-s --short -b --branch --long --show-stash -z --no-renames --ahead-behind',
      choice: {
        '--porcelain': { value: ['v1', 'v2', '1', '2'], optional: true },
        '-u --untracked-files': { value: ['no', 'normal', 'all'], optional: true },
        '--ignored': { value: ['traditional', 'matching', 'no'], optional: true },
      },
    }),
    operands: { kinds: 'paths' },
    joined: true,
    always: [NO_SUBMODULES],
  },
  log: history,
  show: history,
  diff: {
    flags: flags({
      ...difference,
      none: `${difference.none} --cached --staged --merge-base --check --quiet --exit-code`,
    }),
    operands: { kinds: 'revisions' },
    always: [...NO_PROGRAMS, NO_SUBMODULES],
  },
  blame: {
    flags: flags({
      none: `-w -p --porcelain --line-porcelain -s -e --show-email -f --show-name -n --show-number -l -t -M -C --root
        --first-parent`,
      needs: { text: '-L --since', revision: '--ignore-rev', count: '--abbrev' },
      choice: { '--date': DATES },
    }),
    operands: { kinds: 'revisions' },
    always: ['--no-textconv'],
  },
  grep: {
    flags: flags({
      none: `-n --line-number -i --ignore-case -w --word-regexp -v --invert-match -l --files-with-matches --name-only -L
        --files-without-match -c --count -E --extended-regexp -F --fixed-strings -G --basic-regexp -o --only-matching -h
        -H -I -q --quiet -p --show-function -W --function-context --column --cached --and --or --not --all-match
        --heading --break --full-name`,
      needs: { count: '-A --after-context -B --before-context -C --context --max-depth', text: '-e' },
    }),
    operands: { kinds: 'pattern, revisions' },
    number: '-C',
    joined: true,
    always: ['--no-textconv'],
  },
  branch: {
    flags: flags({ ...listing, none: `${listing.none} -a --all -r --remotes -v --verbose --show-current` }),
    operands: { kinds: 'text', onlyWith: ['--list', '-l'] },
    joined: true,
    always: ['--list'],
    alone: '--show-current',
  },
  tag: {
    flags: flags({ ...listing, may: { count: '-n' } }),
    operands: { kinds: 'text', onlyWith: ['--list', '-l'] },
    always: ['--list'],
  },
  'rev-parse': {
    flags: flags({
      none: `--abbrev-ref --verify -q --quiet --symbolic --symbolic-full-name --show-toplevel --show-prefix --git-dir
        --is-inside-work-tree --is-shallow-repository --is-bare-repository --branches --tags --all`,
      may: { count: '--short' },
    }),
    operands: { kinds: 'commits' },
    ends: false,
  },
  'ls-files': {
    flags: flags({
      none: `-c --cached -d --deleted -m --modified -o --others -i --ignored -z -s --stage -u --unmerged -t -k --killed
        --exclude-standard --eol --full-name --directory --no-empty-directory --deduplicate --error-unmatch`,
      needs: { text: '-x --exclude' },
    }),
    operands: { kinds: 'paths' },
    joined: true,
  },
  shortlog: {
    flags: flags({
      none: '-s --summary -n --numbered -e --email -c --committer --all --no-merges',
      needs: { text: '--since --after --until --before --author' },
    }),
    operands: { kinds: 'revisions' },
    joined: true,
    // Without one it would read a log from its input.
    usual: 'HEAD',
  },
  describe: {
    flags: flags({ none: '--tags --all --always --long --exact-match', needs: { count: '--abbrev' } }),
    operands: { kinds: 'commits' },
    ends: false,
  },
}
