/** Every sentence about a server as a source of tools. */
export interface ServerTexts {
  /** For the model: the tool is no longer what it was when the model read of it. */
  toolReplaced(tool: string): string
  /** For the model: a tool that cannot be called now; `why` is one of the reasons below, or what went wrong. */
  toolMissing(tool: string, why?: string): string
  readonly closed: string
  /** Of a note about the whole server. */
  readonly closedByApp: string
  readonly notConnected: string
  readonly stillConnecting: string
  /** Names the tools that were not read, in a note. */
  furtherTools(label: string): string
  /** So many items of a list that is no list of tools. */
  unreadableItems(count: number): string
}

/** The sentences in English. */
export const serverTextsEn: ServerTexts = {
  toolReplaced: (tool) =>
    `The server has changed or removed its tool "${tool}" since it was listed, so it was not ` +
    'called. Look at the tools again, and call it as it is described now.',
  toolMissing: (tool, why) => `The tool "${tool}" is not there${why === undefined ? '' : `: ${why}`}.`,
  closed: 'its server was closed',
  closedByApp: 'it was closed; connect() opens it again',
  notConnected: 'it is not connected',
  stillConnecting: 'it is still being connected',
  furtherTools: (label) => `further tools of ${label}`,
  unreadableItems: (count) => `${count} of them could not be read`,
}

/** The sentences in Chinese. */
export const serverTextsZh: ServerTexts = {
  toolReplaced: (tool) =>
    `服务器在列出工具“${tool}”之后修改或移除了它，因此没有调用。请重新查看工具，并按现在的说明调用。`,
  toolMissing: (tool, why) => `工具“${tool}”不可用${why === undefined ? '' : `：${why}`}。`,
  closed: '它的服务器已关闭',
  closedByApp: '它已关闭；connect() 可重新打开',
  notConnected: '它尚未连接',
  stillConnecting: '它仍在连接中',
  furtherTools: (label) => `${label} 的其余工具`,
  unreadableItems: (count) => `其中 ${count} 项无法读取`,
}
