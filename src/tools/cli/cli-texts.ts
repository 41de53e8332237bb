/** Every sentence of {@link CLITool}. */
export interface CLITexts {
  readonly toolDescription: string
  readonly commandDescription: string
  /** What a person is asked about, a line each: all that will run, and where. `argv` is a JSON array. */
  readonly question: (plan: {
    readonly argv: string
    readonly program: string
    readonly folder: string
  }) => readonly string[]
  /** There is no companion; `start` is how to start one, `reason` what went wrong, if something did. */
  readonly noCompanion: (problem: { readonly start: string; readonly reason: string }) => string
  /** The app allows some programs only. */
  readonly notAllowed: (problem: { readonly program: string; readonly allowed: string }) => string
  /** The app's own rule refused it; `reason` is empty when it gave none. */
  readonly refused: (problem: { readonly reason: string }) => string
  /** The companion did not answer. */
  readonly failed: (problem: { readonly reason: string }) => string
  /** It would have run without a person's yes to exactly this. */
  readonly notShown: string
}

/** The sentences in English. */
export const cliTextsEn: CLITexts = {
  toolDescription:
    'Run one command on the computer of the user and read its output. There is no shell: no pipes, redirection, variables, wildcards or several commands; quote arguments that hold spaces. Only some programs and flags are allowed, mostly for reading; a refusal says what to write instead. The user is asked before each command.',
  commandDescription: 'the command, such as git log -n 5',
  question: ({ argv, program, folder }) => [
    `This runs on your computer, exactly so: ${argv}`,
    `Program: ${program}`,
    `Folder: ${folder}`,
  ],
  noCompanion: ({ start, reason }) =>
    `${reason === '' ? 'No companion is connected' : `The companion cannot be used (${reason})`}, so no command can run. Tell the user to start one in a terminal with "${start}", and to paste the link that it prints into this page. Then try again.`,
  notAllowed: ({ program, allowed }) =>
    `The program "${program}" is not allowed on this page. Use one of these: ${allowed}.`,
  refused: ({ reason }) =>
    `This page does not allow the command${reason === '' ? '' : `: ${reason}`}. Ask for another one, or go on without it.`,
  failed: ({ reason }) =>
    `The companion gave no answer (${reason}). If the command was started already, it may have run.`,
  notShown:
    'The command was not run, because the user has not seen exactly what would run. Ask for the command again.',
}

/** The sentences in Chinese. */
export const cliTextsZh: CLITexts = {
  toolDescription:
    '在用户的电脑上运行一条命令并读取其输出。没有 shell：不支持管道、重定向、变量、通配符或多条命令；含空格的参数请加引号。只允许部分程序和选项，大多用于读取；被拒绝时会说明应改写成什么。每条命令运行前都会询问用户。',
  commandDescription: '要运行的命令，例如 git log -n 5',
  question: ({ argv, program, folder }) => [
    `将在你的电脑上原样运行：${argv}`,
    `程序：${program}`,
    `文件夹：${folder}`,
  ],
  noCompanion: ({ start, reason }) =>
    `${reason === '' ? '没有连接 companion' : `companion 无法使用（${reason}）`}，因此不能运行命令。请让用户在终端中用“${start}”启动它，并把它打印的链接粘贴到此页面，然后重试。`,
  notAllowed: ({ program, allowed }) => `此页面不允许程序“${program}”。请使用其中之一：${allowed}。`,
  refused: ({ reason }) =>
    `此页面不允许这条命令${reason === '' ? '' : `：${reason}`}。请改用其他命令，或者不用它继续。`,
  failed: ({ reason }) => `companion 没有给出回答（${reason}）。如果命令已经开始，它可能已经运行。`,
  notShown: '命令没有运行，因为用户没有看到将要运行的确切内容。请再次请求该命令。',
}
