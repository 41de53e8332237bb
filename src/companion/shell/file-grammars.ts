import { flags, type Grammar } from './grammar.ts'

const ends: Grammar = {
  flags: flags({
    none: '-q --quiet --silent -v --verbose',
    needs: { count: '-n --lines -c --bytes' },
  }),
  operands: { kinds: 'paths' },
  number: '-n',
  joined: true,
}

/** The rules of the programs that show files and folders, by name. They hold for the flavours of GNU and of BSD. */
export const fileGrammars: Readonly<Record<string, Grammar>> = {
  ls: {
    flags: flags({
      none: `-l -a --all -A --almost-all -h --human-readable -1 -t -S -r --reverse -R --recursive -d --directory -p -F
        --classify -n -s --size -i --inode -g -o -m -x -C -c -u --group-directories-first`,
    }),
    operands: { kinds: 'paths' },
    joined: true,
  },
  cat: {
    flags: flags({
      none: `-n --number -b --number-nonblank -s --squeeze-blank -v --show-nonprinting -e -t -A --show-all -E --show-ends
        -T --show-tabs`,
    }),
    operands: { kinds: 'paths' },
    joined: true,
  },
  head: ends,
  tail: ends,
  wc: {
    flags: flags({ none: '-l --lines -w --words -c --bytes -m --chars -L --max-line-length' }),
    operands: { kinds: 'paths' },
    joined: true,
  },
  grep: {
    flags: flags({
      none: `-n --line-number -i --ignore-case -v --invert-match -w --word-regexp -x --line-regexp -c --count -l
        --files-with-matches -L --files-without-match -o --only-matching -E --extended-regexp -F --fixed-strings -G
        --basic-regexp -r --recursive -s --no-messages -q --quiet --silent -H --with-filename -h --no-filename -b
        --byte-offset`,
      needs: {
        count: '-A --after-context -B --before-context -C --context -m --max-count',
        text: '-e --regexp --include --exclude --exclude-dir',
      },
    }),
    operands: { kinds: 'pattern, paths' },
    number: '-C',
    joined: true,
    // What a tree holds beside text files is passed over: a device would never end.
    always: ['-D', 'skip', '--binary-files=without-match'],
  },
  pwd: { flags: flags({ none: '-L --logical -P --physical' }), operands: { kinds: 'none' }, joined: true },
  date: {
    flags: flags({
      none: '-u --utc --universal -R --rfc-email',
      needs: { text: '-d --date', path: '-r --reference' },
      choice: { '-I --iso-8601': { value: ['date', 'hours', 'minutes', 'seconds', 'ns'], optional: true } },
    }),
    // Without the sign it would set the clock.
    operands: { kinds: 'text', most: 1, shape: /^\+/ },
    ends: false,
  },
}
