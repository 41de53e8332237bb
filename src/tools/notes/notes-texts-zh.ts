import type { NotesTexts } from './notes-texts.ts'

const memoryReasons: Readonly<Record<string, string>> = {
  'insecure-context': '因为此页面不是通过 https 提供的',
  refused: '因为浏览器在这里拒绝存储（例如无痕窗口）',
}

/** The notes' sentences in Chinese. */
export const notesTextsZh: NotesTexts = {
  toolDescription:
    '读写保存在此浏览器中的笔记：带有路径（例如 work/ideas.md）的 Markdown 文本。read：读取一篇笔记。append：在笔记末尾添加文本，笔记不存在时会新建；不能修改或删除任何内容。list：列出笔记的路径。search：查找包含所有给定词语的行。',
  actionDescription: '要执行的操作',
  pathDescription:
    'read 和 append：笔记的路径，相对路径，名称之间用 / 分隔，例如 work/ideas.md；A.md 和 a.md 是两篇笔记。list 和 search：文件夹，例如 work；省略则表示所有笔记',
  contentDescription: 'append：要添加的文本，Markdown 格式，最多 50,000 个字符；会另起一行',
  queryDescription: 'search：一个或多个词语；不区分大小写和顺序，不支持通配符',
  offsetDescription: 'read：从第几个字符开始（从 0 算起）；一次最多读取 8,000 个字符',
  missing: (path) => `没有路径为 ${path} 的笔记。请用 list 查看已有的笔记，或用 append 新建一篇。`,
  part: ({ path, from, to, total }) =>
    `${path} 共 ${total} 个字符，以下是第 ${from} 到 ${to} 个${to < total ? `；请用 offset ${to} 继续读取` : ''}：`,
  damaged: (lines) => `（此笔记有 ${lines} 处内容已损坏，无法读取，已略去。）`,
  appended: (path, chars) => `已向 ${path} 添加 ${chars} 个字符。`,
  noNotes: (folder) => (folder === '' ? '还没有笔记。' : `${folder} 中没有笔记。`),
  listLine: (path, bytes) => `${path}（${bytes} 字节）`,
  noHits: (query) => `没有一行笔记包含“${query}”的所有词语。请减少词语或换用其他词语。`,
  hitLine: (path, line, text) => `${path}:${line}: ${text}`,
  more: (shown, total) =>
    `共 ${total} 条，只显示了 ${shown} 条。请在 path 中指定文件夹，或增加词语，以缩小范围。`,
  memoryOnly: (code) =>
    `笔记只保存在内存中，${memoryReasons[code] ?? '因为此浏览器没有文件存储'}：页面关闭后就会丢失，其他标签页也看不到。`,
  pathLength: ({ path, found }) =>
    found === ''
      ? `路径“${path}”为空或太长。请给出 1 到 200 个字符的路径，例如 work/ideas.md。`
      : `路径“${path}”被拒绝：其中的名称“${found}”太长。请使用较短的名称。`,
  pathForm: ({ path }) =>
    `路径“${path}”被拒绝。请给出相对路径，名称之间用 / 分隔，例如 work/ideas.md，其中不能有盘符、网址、\\、~、. 或 ..。`,
  pathCharacter: ({ path, found }) =>
    `路径“${path}”被拒绝：其中有字符 ${found}。请去掉它；不允许使用 < > : " | ? * 和看不见的字符。`,
  pathName: ({ path, found }) =>
    `路径“${path}”被拒绝：并非所有系统都允许名称“${found}”。请使用不以点或空格开头或结尾、也不是设备名（如 CON）的名称。`,
  pathProtected: ({ path }) => `路径“${path}”受应用保护。请使用其他笔记。`,
  noContent: '没有要添加的内容。请在 content 中给出文本。',
  longContent: (chars, limit) => `内容有 ${chars} 个字符，一次最多添加 ${limit} 个。请分几次添加。`,
  noQuery: (limit) => `没有要查找的内容。请在 query 中给出词语，最多 ${limit} 个字符。`,
  full: (path, limit) => `笔记 ${path} 已满：加上这段文本会超过 ${limit} 字节。请写到另一篇笔记中。`,
  exists: (path) => `${path} 已有内容不同的笔记；已保持原样。`,
  importZip: '没有导入任何内容：这不是 zip 文件，或者文件已损坏。请提供包含 Markdown 文件的 zip。',
  importSize: '太大：一个 zip 最多 100,000,000 字节，一篇笔记最多 2,000,000 字节。请拆成几个。',
  importType: '未导入：笔记是名称以 .md、.markdown 或 .txt 结尾的文件。',
  importText: '未导入：文件为空，或不是 UTF-8 文本。',
  quota: '浏览器中没有空间供此网站使用；没有添加任何内容，也没有改动任何笔记。用户可以删除笔记或释放空间。',
  locked: '另一个标签页或 worker 正在处理此笔记，未能及时完成；没有改动任何内容。请稍后再试。',
  unavailable: '此页面可以读取笔记但不能写入：此浏览器只允许在 worker 中写文件。请在 worker 中运行此工具。',
}
