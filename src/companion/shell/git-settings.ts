/**
 * Settings that a repository may bring along. Git reads a repository's own settings before it reads anything else, and
 * some of them name programs that reading commands run, or files elsewhere that they show. So the list says what is
 * allowed. The settings that {@link gitEnvironment} overrides may be here, since then they have no effect.
 */
const ALLOWED: readonly RegExp[] = [
  // Nothing that these sub-commands can reach: aliases, what is sent and fetched, what is written.
  /^(?:alias|user|author|committer|branch|pull|push|fetch|rebase|rerere|stash|gc|maintenance|credential)\./,
  /^(?:init|commit|tag|color|advice|column|gui|i18n|index|pack|feature|lfs|url|http|safe|status|versionsort)\./,
  /^core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks)$/,
  /^core\.(?:autocrlf|eol|safecrlf|abbrev|quotepath|compression|loosecompression|bigfilethreshold|whitespace)$/,
  /^core\.(?:untrackedcache|sparsecheckout|sparsecheckoutcone|commitgraph|multipackindex|preloadindex)$/,
  /^core\.(?:checkstat|trustctime|fscache|longpaths|protecthfs|protectntfs|hidedotfiles|hookspath|commentchar)$/,
  /^remote\..+\.(?:url|pushurl|fetch|push|tagopt|prune|prunetags|mirror|skipdefaultupdate|gh-resolved)$/,
  /^remote\.pushdefault$/,
  /^submodule\.(?:.+\.)?(?:url|active|path|branch|ignore|recurse|fetchjobs|shallow)$/,
  /^(?:diff|merge)\.(?:gui)?tool$/,
  /^merge\.(?:conflictstyle|ff|log|renames|renamelimit|stat)$/,
  /^diff\.(?:algorithm|renames|renamelimit|mnemonicprefix|noprefix|context|interhunkcontext|colormoved)$/,
  /^diff\.(?:indentheuristic|statgraphwidth|suppressblankempty|submodule|ignoresubmodules|wserrorhighlight)$/,
  /^log\.(?:abbrevcommit|date|decorate|follow|mailmap|showroot|showsignature)$/,
  /^extensions\.(?:objectformat|worktreeconfig|refstorage|compatobjectformat)$/,
  /^(?:grep\.(?:linenumber|column|extendedregexp|patterntype)|blame\.(?:date|coloring|showemail|showroot))$/,
]

/** A setting whose value decides: the built-in watcher is no program of the repository, and is off here anyway. */
const WATCHER = /^core\.fsmonitor\n(?:true|false|1|0|yes|no|on|off)$/

/** The first setting that is not known to be harmless; each is its name, and behind a line end its value. */
export function unsafeSetting(settings: readonly string[]): string | undefined {
  const unsafe = settings.find((setting) => !WATCHER.test(setting) && !isAllowed(nameOf(setting)))
  return unsafe === undefined ? undefined : nameOf(unsafe)
}

function isAllowed(name: string): boolean {
  return ALLOWED.some((pattern) => pattern.test(name))
}

/** The name with its first and last part in small letters, as git compares them; without the value. */
function nameOf(setting: string): string {
  return (setting.split('\n')[0] ?? '').toLowerCase()
}
