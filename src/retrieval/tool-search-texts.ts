/** A tool that was found. */
export interface FoundToolText {
  readonly name: string
  /** The server or toolkit that it is of. */
  readonly server: string | undefined
  readonly description: string
  /** Its input as JSON Schema, in one line. */
  readonly parameters: string
  /** The words of the query that it was found by. */
  readonly terms: readonly string[]
}

/** The tools of a server or a toolkit, or those that are of none. */
export interface ServerText {
  readonly name: string | undefined
  readonly tools: number
  /** The names of some of them; empty where no one has accepted their words. */
  readonly some: readonly string[]
}

/** Every sentence of `ToolSearchTool`. */
export interface ToolSearchTexts {
  readonly toolDescription: string
  readonly queryDescription: string
  /** Behind the description, and behind an answer that nothing was found: what there is. One line each. */
  servers(lines: readonly string[]): string
  serverLine(server: ServerText): string
  moreServers(count: number): string
  /** Above the tools; `loaded` of them can be called from now on, outside of an agent's run none. */
  found(result: { readonly count: number; readonly loaded: number | undefined }): string
  foundTool(tool: FoundToolText): string
  /** In place of a tool that the model has already. */
  loadedBefore(name: string): string
  /** Below the tools. */
  readonly askAgain: string
  nothingFound(query: string): string
  readonly emptyQuery: string
  failed(reason: string): string
}

/** The sentences in English. */
export const toolSearchTextsEn: ToolSearchTexts = {
  toolDescription:
    'Find and load further tools. Most tools are not loaded at first: before you say that something cannot be done, search for it. Ask for one capability at a time, as verb + object + service, for example "create issue linear"; for several, make several calls. Write in the language in which the tools are described. The tools that are found can be called from your next message on.',
  queryDescription: 'one capability: verb + object + service, such as "send message slack"',
  servers: (lines) => `There are tools of:\n${lines.join('\n')}`,
  serverLine: ({ name, tools, some }) =>
    `- ${name ?? 'this app'}: ${tools} ${tools === 1 ? 'tool' : 'tools'}${some.length === 0 ? '' : `, ${tools > some.length ? 'such as ' : ''}${some.join(', ')}`}`,
  moreServers: (count) => `- and ${count} more`,
  found: ({ count, loaded }) =>
    `${count} ${count === 1 ? 'tool' : 'tools'} found, most relevant first.${loaded === undefined ? '' : ' You can call them from your next message on.'}`,
  foundTool: ({ name, server, description, parameters, terms }) =>
    `${name}${server === undefined ? '' : ` (${server})`}, found by: ${terms.join(', ') || name}\n${description}\nParameters: ${parameters}`,
  loadedBefore: (name) => `${name} is loaded already: call it.`,
  askAgain: 'If none of them does what you need, search again in other words.',
  nothingFound: (query) =>
    `No tool was found for "${query}". Search again in other words: one capability, as verb + object + service, in the language in which the tools are described. If nothing is found then either, there is no such tool: say so.`,
  emptyQuery: 'The query is empty. Write what a tool should do, as verb + object + service.',
  failed: (reason) =>
    `The tools could not be searched (${reason}). Go on with the tools that you have, or tell the user.`,
}

/** The sentences in Chinese. */
export const toolSearchTextsZh: ToolSearchTexts = {
  toolDescription:
    '查找并加载更多工具。大多数工具起初没有加载：在说某件事做不到之前，请先搜索。每次只搜索一项能力，写成“动词 + 对象 + 服务”，例如“创建 issue linear”；需要几项能力就分几次调用。请使用工具描述所用的语言。找到的工具从你的下一条消息起即可调用。',
  queryDescription: '一项能力：动词 + 对象 + 服务，例如“发送 消息 slack”',
  servers: (lines) => `现有以下来源的工具：\n${lines.join('\n')}`,
  serverLine: ({ name, tools, some }) =>
    `- ${name ?? '本应用'}：${tools} 个工具${some.length === 0 ? '' : `，${tools > some.length ? '例如 ' : ''}${some.join('、')}`}`,
  moreServers: (count) => `- 另有 ${count} 个来源`,
  found: ({ count, loaded }) =>
    `找到 ${count} 个工具，最相关的在前。${loaded === undefined ? '' : '从你的下一条消息起即可调用。'}`,
  foundTool: ({ name, server, description, parameters, terms }) =>
    `${name}${server === undefined ? '' : `（${server}）`}，匹配：${terms.join('、') || name}\n${description}\n参数：${parameters}`,
  loadedBefore: (name) => `${name} 已经加载：可直接调用。`,
  askAgain: '如果其中没有你需要的，请换用其他词再次搜索。',
  nothingFound: (query) =>
    `没有找到与“${query}”相关的工具。请换用其他词再次搜索：只写一项能力（动词 + 对象 + 服务），使用工具描述所用的语言。如果仍然没有找到，说明没有这样的工具，请如实说明。`,
  emptyQuery: '查询为空。请写出工具应当做什么：动词 + 对象 + 服务。',
  failed: (reason) => `无法搜索工具（${reason}）。请用现有的工具继续，或告知用户。`,
}
