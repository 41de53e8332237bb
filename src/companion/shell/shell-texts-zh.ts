import type { ShellTexts } from './shell-texts.ts'

/** The shell's sentences in Chinese. */
export const shellTextsZh: ShellTexts = {
  empty: () => '命令为空。请写出程序及其参数，例如 git status。',
  tooLong: ({ found, instead }) => `命令太长：${found}，最多允许 ${instead}。请拆成几条命令。`,
  unsendable: ({ found, position }) => `第 ${position} 个字符“${found}”无法传给程序。请删去它。`,
  operator: ({ found, position }) =>
    `第 ${position} 个字符处的“${found}”不允许使用：这里没有 shell，一条命令只运行一个程序，不支持管道、重定向和命令列表。请把每条命令放到单独的调用中；若“${found}”只是普通文字，请加引号。`,
  expansion: ({ found, position }) =>
    `第 ${position} 个字符处的“${found}”不允许使用：这里没有 shell 来替换它。请直接写出值；若它只是普通文字，请加单引号：'${found}'。`,
  unclosedQuote: ({ found, position }) =>
    `第 ${position} 个字符处的引号 ${found} 没有闭合。请在该词末尾补上。`,
  strayBackslash: ({ position }) =>
    `第 ${position} 个字符处的反斜杠后面没有内容。请删去它，或者写成带引号的 '\\'。`,
  unknownProgram: ({ found, instead }) =>
    `“${found}”（第 1 个词）不在可运行的命令之列。请只用名称使用下列命令之一：${instead}。`,
  unknownFlag: ({ found, position, program, instead }) =>
    `${program} 不允许使用“${found}”（第 ${position} 个词）。选项必须写全，且只允许这些：${instead}。`,
  missingValue: ({ found, position, program }) =>
    `${program} 的“${found}”（第 ${position} 个词）缺少值。请在它后面写上。`,
  needlessValue: ({ found, position, program, instead }) =>
    `“${found}”（第 ${position} 个词）：${program} 的 ${instead} 不带值。请只写 ${instead}。`,
  unknownValue: ({ found, position, program, instead }) =>
    `“${found}”（第 ${position} 个词）不能作为 ${program} 的值。${instead === '' ? '请使用其手册中不涉及文件的写法。' : `请写 ${instead} 之一。`}`,
  noCount: ({ found, position, program }) =>
    `“${found}”（第 ${position} 个词）不是 ${program} 可用的数字。请写一个数字，例如 20。`,
  noRevision: ({ found, position, program }) =>
    `“${found}”（第 ${position} 个词）不是 ${program} 可用的提交。请写分支、标签、哈希或 HEAD~1 这样的形式；路径写在 -- 之后。`,
  runningFormat: ({ found, position }) =>
    `“${found}”（第 ${position} 个词）不允许使用：%G 会让 git 运行检查签名的程序。请去掉 %G。`,
  noPattern: ({ program }) => `${program} 需要一个要查找的模式。请在 ${program} 后面加引号写出。`,
  needlessWord: ({ found, position, program }) =>
    `“${found}”（第 ${position} 个词）不允许使用：${program} 在这里不接受这样的参数。请去掉它。`,
  onlyWith: ({ found, position, program, instead }) =>
    `“${found}”（第 ${position} 个词）不允许使用：没有 ${instead} 时，${program} 可能会修改内容。按名称查找请写 ${program} ${instead}。`,
  noPath: ({ found, position, program }) =>
    `“${found}”（第 ${position} 个词）不是 ${program} 可用的路径。请写一个文件或文件夹，例如 . 或 src。`,
  unreadablePath: ({ found, position, program }) =>
    `无法确定 ${program} 的“${found}”（第 ${position} 个词）指向哪里：其中一部分不是文件夹，或者是失效的链接。请写一个存在的路径。`,
  outsideRoots: ({ found, position, program, instead }) =>
    `${program} 的“${found}”（第 ${position} 个词）指向可读文件夹之外。请写 ${instead} 中的路径。`,
  noFile: ({ found, position, program }) =>
    `${program} 的“${found}”（第 ${position} 个词）既不是文件也不是文件夹。请写一个普通文件。`,
  noSubCommand: ({ instead }) => `git 需要一个子命令。请写 ${instead} 之一。`,
  unknownSubCommand: ({ found, position, instead }) =>
    `不允许使用 git ${found}（第 ${position} 个词）：只能运行读取类子命令。请写 ${instead} 之一。`,
  globalOption: ({ found, position, instead }) =>
    `git 子命令之前不允许使用“${found}”（第 ${position} 个词）。请去掉它，或者用 -C 加上 ${instead} 之一。`,
  noRoot: ({ found, position, instead }) =>
    `git -C 不允许使用“${found}”（第 ${position} 个词）。请写 ${instead} 之一。`,
  noRepository: ({ found }) =>
    `${found} 中没有属于该用户的 git 仓库。请在那里使用 ls、cat、grep 和 find，或者请用户把仓库所在文件夹添加为根文件夹。`,
  repositoryOutside: ({ found, instead }) =>
    `git 仓库并不完全位于可读文件夹之内：${found} 指向 ${instead} 之外。请用户把仓库所在文件夹添加为根文件夹。`,
  unsafeSetting: ({ found, instead }) =>
    `${instead} 中的 git 仓库有设置 ${found}，无法确定它无害：它可能让读取命令运行程序或显示其他文件。请用户检查（git config --show-origin --get-all ${found}）并删除它；或者用 cat、grep 和 find 读取文件。`,
  changedPlan: () => '该命令已不再是所同意的内容：其参数或涉及的文件已经改变。请重新提出。',
  changedProgram: ({ found }) => `程序文件 ${found} 在启动之后已经改变。请用户重新启动 companion。`,
  noOutput: '（没有输出）',
  exitCode: (code) => `[程序以退出码 ${code} 结束。]`,
  cut: (limit) => `[输出在 ${limit} 个字符处截断，程序已停止。请缩小范围。]`,
  timedOut: (seconds) => `[程序在 ${seconds} 秒后被停止。请缩小范围，或者指定较小的文件夹。]`,
  stopped: '[程序在结束之前被停止。]',
  endedBySignal: (signal) => `[程序被信号 ${signal} 终止。]`,
  notStarted: (reason) => `[程序无法启动：${reason}。请用户检查。]`,
}
