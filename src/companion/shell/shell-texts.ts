/** What a sentence about a refused command is made of. */
export interface ShellProblem {
  /** The word or characters that were refused, cut to 80, with hidden characters written out. */
  readonly found: string
  /** The character of the command, or the number of the word in it, counted from 1; `0` where neither is known. */
  readonly position: string
  /** The program, with its sub-command or flag, whose rules were used; may be empty. */
  readonly program: string
  /** What may be written instead; may be empty. */
  readonly instead: string
}

/** Why a command is not run. */
export type ProblemCode =
  | 'empty'
  | 'tooLong'
  | 'unsendable'
  | 'operator'
  | 'expansion'
  | 'unclosedQuote'
  | 'strayBackslash'
  | 'unknownProgram'
  | 'unknownFlag'
  | 'missingValue'
  | 'needlessValue'
  | 'unknownValue'
  | 'noCount'
  | 'noRevision'
  | 'runningFormat'
  | 'noPattern'
  | 'needlessWord'
  | 'onlyWith'
  | 'noPath'
  | 'unreadablePath'
  | 'outsideRoots'
  | 'noFile'
  | 'noSubCommand'
  | 'unknownSubCommand'
  | 'globalOption'
  | 'noRoot'
  | 'noRepository'
  | 'repositoryOutside'
  | 'unsafeSetting'
  | 'changedPlan'
  | 'changedProgram'

/** Every sentence of the shell: one for each refusal, and those that stand behind the output of a command. */
export type ShellTexts = {
  readonly [Code in ProblemCode]: (problem: ShellProblem) => string
} & {
  /** Stands for output where there is none. */
  readonly noOutput: string
  readonly exitCode: (code: string) => string
  readonly cut: (limit: string) => string
  readonly timedOut: (seconds: string) => string
  readonly stopped: string
  readonly endedBySignal: (signal: string) => string
  readonly notStarted: (reason: string) => string
}

/** The shell's sentences in English. */
export const shellTextsEn: ShellTexts = {
  empty: () => 'The command is empty. Write a program and its arguments, such as git status.',
  tooLong: ({ found, instead }) =>
    `The command is too long: ${found}, and at most ${instead} are taken. Split it into several commands.`,
  unsendable: ({ found, position }) =>
    `The character "${found}" at character ${position} cannot be given to a program. Remove it.`,
  operator: ({ found, position }) =>
    `"${found}" at character ${position} is not allowed: there is no shell, so one command runs one program, without pipes, redirections and lists. Make a call for each command, or put "${found}" in quotes if it is plain text.`,
  expansion: ({ found, position }) =>
    `"${found}" at character ${position} is not allowed: there is no shell that would put something in its place. Write the value itself, or single quotes around it if it is plain text, as in '${found}'.`,
  unclosedQuote: ({ found, position }) =>
    `The quotation mark ${found} at character ${position} is not closed. Write the missing one at the end of the word.`,
  strayBackslash: ({ position }) =>
    `The backslash at character ${position} has nothing behind it. Remove it, or write '\\' in quotes.`,
  unknownProgram: ({ found, instead }) =>
    `"${found}" (word 1) is not among the commands that may run here. Use one of these, by its name alone: ${instead}.`,
  unknownFlag: ({ found, position, program, instead }) =>
    `"${found}" (word ${position}) is not allowed for ${program}. Flags must be written in full, and only these are allowed: ${instead}.`,
  missingValue: ({ found, position, program }) =>
    `"${found}" (word ${position}) of ${program} needs a value. Write one behind it.`,
  needlessValue: ({ found, position, program, instead }) =>
    `"${found}" (word ${position}): ${instead} of ${program} takes no value. Write ${instead} alone.`,
  unknownValue: ({ found, position, program, instead }) =>
    `"${found}" (word ${position}) is not allowed as the value of ${program}. ${instead === '' ? 'Write one of the forms in its manual that name no file.' : `Write one of ${instead}.`}`,
  noCount: ({ found, position, program }) =>
    `"${found}" (word ${position}) is no number for ${program}. Write one, such as 20.`,
  noRevision: ({ found, position, program }) =>
    `"${found}" (word ${position}) is no commit for ${program}. Write a branch, a tag, a hash, or something like HEAD~1; paths stand behind --.`,
  runningFormat: ({ found, position }) =>
    `"${found}" (word ${position}) is not allowed: %G makes git run a program that checks signatures. Leave %G out.`,
  noPattern: ({ program }) =>
    `${program} needs a pattern to look for. Write one in quotes behind ${program}.`,
  needlessWord: ({ found, position, program }) =>
    `"${found}" (word ${position}) is not allowed: ${program} takes no such argument here. Leave it out.`,
  onlyWith: ({ found, position, program, instead }) =>
    `"${found}" (word ${position}) is not allowed: without ${instead}, ${program} could change something. Write ${program} ${instead} to search by name.`,
  noPath: ({ found, position, program }) =>
    `"${found}" (word ${position}) is no path for ${program}. Write a file or folder, such as . or src.`,
  unreadablePath: ({ found, position, program }) =>
    `It is not sure where "${found}" (word ${position}) of ${program} leads: a part of it is no folder, or a link to nothing. Write the path of something that exists.`,
  outsideRoots: ({ found, position, program, instead }) =>
    `"${found}" (word ${position}) of ${program} leads out of the folders that may be read. Write a path in ${instead}.`,
  noFile: ({ found, position, program }) =>
    `"${found}" (word ${position}) of ${program} is neither a file nor a folder. Name a regular file.`,
  noSubCommand: ({ instead }) => `git needs a sub-command. Write one of ${instead}.`,
  unknownSubCommand: ({ found, position, instead }) =>
    `git ${found} (word ${position}) is not allowed: only sub-commands that read may run. Write one of ${instead}.`,
  globalOption: ({ found, position, instead }) =>
    `"${found}" (word ${position}) is not allowed before the sub-command of git. Leave it out, or write -C with one of ${instead}.`,
  noRoot: ({ found, position, instead }) =>
    `"${found}" (word ${position}) is not allowed for git -C. Write one of ${instead}.`,
  noRepository: ({ found }) =>
    `There is no git repository of this user in ${found}. Use ls, cat, grep and find there, or ask the user to add the folder of the repository as a root.`,
  repositoryOutside: ({ found, instead }) =>
    `The git repository is not all inside the folders that may be read: ${found} leads out of ${instead}. Ask the user to add the folder of the repository as a root.`,
  unsafeSetting: ({ found, instead }) =>
    `The git repository in ${instead} has the setting ${found}, which is not known to be harmless: it could make a reading command run a program or show other files. Ask the user to look at it (git config --show-origin --get-all ${found}) and remove it; or read files with cat, grep and find.`,
  changedPlan: () =>
    'The command is no longer what was agreed to: its arguments, or the files it names, have changed. Ask for it again.',
  changedProgram: ({ found }) =>
    `The file of the program, ${found}, has changed since the start. Ask the user to start the companion again.`,
  noOutput: '(no output)',
  exitCode: (code) => `[The program ended with exit code ${code}.]`,
  cut: (limit) =>
    `[The output was cut after ${limit} characters, and the program stopped. Ask for less of it.]`,
  timedOut: (seconds) =>
    `[The program was stopped after ${seconds} seconds. Ask for less, or name a smaller folder.]`,
  stopped: '[The program was stopped before it ended.]',
  endedBySignal: (signal) => `[The program was ended by the signal ${signal}.]`,
  notStarted: (reason) => `[The program could not be started: ${reason}. Ask the user to look at it.]`,
}
