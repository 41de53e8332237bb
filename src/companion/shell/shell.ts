import type { ShellTexts } from './shell-texts.ts'

/**
 * A command of another program than those with built-in rules, written down by the user: it runs exactly as it stands
 * here, or not at all.
 */
export interface CommandTemplate {
  /**
   * The whole command, word by word, such as `['npm', 'test']`. The first word is the name of a program in one of the
   * trusted folders, or an absolute path that the user writes down (there it may also belong to the user).
   */
  readonly argv: readonly string[]
}

/** What a shell is made with. All of it comes from the user who starts the companion, never from a page. */
export interface ShellOptions {
  /** Programs with built-in rules that may run: `git`, `ls`, `grep`, `find`, `cat`, `head`, `tail`, `wc`, `pwd`, `date`, `echo`. */
  readonly allow: readonly string[]
  /** Folders that commands may read, each an existing one. Commands run in the first; `git -C` may name another. */
  readonly roots: readonly string[]
  /** Whole commands of other programs. Default: none. */
  readonly templates?: readonly CommandTemplate[]
  /** Variables added to the small environment of a command. Those that change what a program loads are refused. */
  readonly env?: Readonly<Record<string, string>>
  /** How long a command may run, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number
  /** Most characters of output that are kept. Default: 4,000. */
  readonly maxOutputChars?: number
  /** Folders in which programs are looked for, in this order. Default: those of the system. */
  readonly programFolders?: readonly string[]
  /** Sentences that replace those of {@link ShellTexts}, all or some. Default: English. */
  readonly texts?: Partial<ShellTexts>
}

/** A command that may run: what a person is shown, and says yes to. */
export interface Plan {
  readonly refused: false
  /** The words of the command as it was asked for, without the quotes. */
  readonly words: readonly string[]
  /** Exactly what is run: the words in one order, with the flags that keep a program from more than reading. */
  readonly argv: readonly string[]
  /** The file of the program, links resolved. */
  readonly program: string
  /** The folder in which it runs, links resolved. */
  readonly folder: string
  /** SHA-256 over argv, program and folder, in hexadecimal: what a yes is bound to. */
  readonly digest: string
}

/** Why a command does not run. */
export interface Refusal {
  readonly refused: true
  /** The name of the sentence in {@link ShellTexts}. */
  readonly code: string
  /** What was refused, where, and what to do instead: for the model and for the person. */
  readonly text: string
  /** The word that was refused, when it is one. */
  readonly word?: string
}

/** What became of a command. */
export interface CommandResult {
  /** Standard output, then what the program complained of, and a sentence on each thing that went wrong. */
  readonly text: string
  /** `success`: exit code 0. `partial`: another exit code, or cut. `error`: not started, refused, or stopped. */
  readonly status: 'success' | 'partial' | 'error'
  /** Null when it was stopped or did not start. */
  readonly exitCode: number | null
  /** The signal that ended it, if one did. */
  readonly signal: string | null
  /** Whether output is missing. */
  readonly truncated: boolean
  readonly argv: readonly string[]
  readonly program: string
  readonly folder: string
}

/** How one command is run. */
export interface RunOptions {
  /** Stops the command and all it started. */
  readonly signal?: AbortSignal
  /** Told of output as it comes, cleaned as the result is. */
  readonly onOutput?: (text: string) => void
  /** A shorter limit than that of the shell, in milliseconds. */
  readonly timeoutMs?: number
  /** A smaller limit than that of the shell. */
  readonly maxOutputChars?: number
}

/** Runs single commands of known programs, without any shell in between. Made by `createShell`. */
export interface Shell {
  /** The commands that may be asked for: the names of programs, and whole templates. For a description. */
  readonly commands: readonly string[]
  /** The folders that may be read, links resolved. */
  readonly roots: readonly string[]
  /** Reads a command and says what would run, or why it does not. Has no effect. */
  plan(command: string): Promise<Plan | Refusal>
  /**
   * Runs what was planned, once it has been planned anew from `words` and has come out the same (`digest`): a plan that
   * was changed, or whose files have changed meanwhile, is refused. Never rejects.
   */
  run(plan: Plan, options?: RunOptions): Promise<CommandResult>
  /** Stops all commands that run, and removes the empty home folder. */
  close(): Promise<void>
}
