/** Every sentence about the tools of a server that are trusted, for a person. */
export interface PinTexts {
  /** Why the person is asked. `tool` is the server's own name. */
  toolChanged(tool: string): string
  /** Stands behind the changes that are shown. */
  moreChanges(count: number): string
  tooManyPins(most: number): string
  pinsNotKept(why: string): string
}

/** The sentences in English. */
export const pinTextsEn: PinTexts = {
  toolChanged: (tool) =>
    `The server has changed its tool "${tool}" since it was trusted. ` +
    'Look at what it was and what it is now; a yes trusts the new one.',
  moreChanges: (count) => `${count} more changes, which are not shown`,
  tooManyPins: (most) =>
    `This server has shown more than ${most} different tools: changes of the last ones are not noticed. ` +
    'Forget its pins if that is as it should be.',
  pinsNotKept: (why) =>
    `Which tools are trusted is not kept beyond this page: ${why} ` +
    'A change of a tool is only noticed while the page stays open.',
}

/** The sentences in Chinese. */
export const pinTextsZh: PinTexts = {
  toolChanged: (tool) =>
    `服务器在工具“${tool}”获得信任之后修改了它。请对照它原来和现在的样子；同意即表示信任新的定义。`,
  moreChanges: (count) => `另有 ${count} 处改动未显示`,
  tooManyPins: (most) =>
    `该服务器已出现超过 ${most} 个不同的工具：最后那些工具的改动不会被发现。若情况正常，请清除对它的信任记录。`,
  pinsNotKept: (why) => `对工具的信任只在本页面内保留：${why} 只有在页面保持打开时才能发现工具的改动。`,
}
