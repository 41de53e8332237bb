/**
 * Variables that change what a program loads, runs or connects to, or that hold a secret: no command gets them. Those
 * of git are set here alone.
 */
const FORBIDDEN =
  /^(?:LD_|DYLD_|NODE_(?!ENV$)|NPM_CONFIG_|PYTHON|PERL|RUBY|GEM_|BUNDLE_|LUA_|JAVA_|JDK_|_JAVA|GIT_|SSH_|GCONV_|BASH|ENV$|SHELLOPTS$|IFS$|CDPATH$|PATH$|HOME$|XDG_|PS4$|PROMPT_COMMAND$|PAGER$|LESS|EDITOR$|VISUAL$|BROWSER$|GREP_|LS_COLORS$|POSIXLY_CORRECT$|MALLOC_|GLIBC_|LOCPATH$|NLSPATH$|TERMCAP$|TERMINFO)|(?:_PROXY|_TOKEN|_KEY|_SECRET|_PASSWORD)$/i

/**
 * The whole environment of a command: nothing of the companion's own.
 *
 * @param home - An empty folder: settings of the user name programs.
 * @param added - By the user, in the companion's settings.
 */
export function commandEnvironment(
  home: string,
  programFolders: readonly string[],
  added: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const windows = platform === 'win32' ? windowsEnvironment() : {}
  return {
    ...windows,
    PATH: programFolders.join(platform === 'win32' ? ';' : ':'),
    HOME: home,
    TMPDIR: home,
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    TZ: process.env.TZ ?? (Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'),
    TERM: 'dumb',
    NO_COLOR: '1',
    ...added,
  }
}

/** What programs of Windows do not start without; and no program is looked for in the folder of the command. */
function windowsEnvironment(): Record<string, string> {
  const names = ['SystemRoot', 'SystemDrive', 'TEMP', 'TMP']
  const kept = names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))
  return { ...Object.fromEntries(kept), PATHEXT: '.EXE', NoDefaultCurrentDirectoryInExePath: '1' }
}

/**
 * Throws if the user's variables hold one that must not reach a command.
 *
 * @throws Error naming the variable.
 */
export function checkEnvironment(added: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(added)) {
    if (FORBIDDEN.test(name)) {
      throw new Error(`env: ${name} changes what programs load or run, or holds a secret. Leave it out.`)
    }
    if (!/^[A-Za-z_]\w*$/.test(name) || typeof value !== 'string' || value.includes('\0')) {
      throw new Error(`env: ${JSON.stringify(name)} is no variable with a text value. Write NAME: "value".`)
    }
  }
}
