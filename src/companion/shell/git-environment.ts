import { dirname } from 'node:path'

/** Settings that have no effect, whatever a repository says. */
const OVERRIDES: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'safe.bareRepository': 'explicit',
  'protocol.allow': 'never',
  'protocol.ext.allow': 'never',
  'protocol.file.allow': 'never',
  'credential.helper': '',
  'log.showSignature': 'false',
  'gpg.program': 'false',
  'gpg.ssh.program': 'false',
  'gpg.x509.program': 'false',
  'diff.autoRefreshIndex': 'false',
  'status.submoduleSummary': 'false',
  'submodule.recurse': 'false',
  'diff.submodule': 'short',
  'blame.ignoreRevsFile': '',
}

/**
 * Variables that keep git from running anything that a repository, the user's settings or the system's name, from
 * asking, from writing, and from any network. They do not stop filters: {@link unsafeSetting} does.
 *
 * @param folder - A root: no repository above it is taken.
 * @param overrides - Whether settings are overridden; not while those of a repository are listed.
 */
export function gitEnvironment(folder: string, overrides = true): Record<string, string> {
  const settings = Object.entries(overrides ? OVERRIDES : { 'safe.bareRepository': 'explicit' })
  const counted = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return {
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'true',
    SSH_ASKPASS: 'true',
    GIT_PAGER: 'cat',
    PAGER: 'cat',
    GIT_EDITOR: 'true',
    GIT_SEQUENCE_EDITOR: 'true',
    GIT_SSH_COMMAND: 'false',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_CEILING_DIRECTORIES: dirname(folder),
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(counted),
  }
}
