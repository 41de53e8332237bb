/** Every sentence of {@link SearchTool}. */
export interface SearchTexts {
  readonly toolDescription: string
  readonly queryDescription: string
  readonly nothingFound: (search: { readonly query: string }) => string
  /** No source worked; `reasons` names each and why. */
  readonly allFailed: (problem: { readonly reasons: string }) => string
  /** There is nothing to search; `start` is how to start a companion. */
  readonly noSources: (problem: { readonly start: string }) => string
  /** Why a companion could not search. */
  readonly noCompanion: string
  readonly emptyQuery: string
  readonly foundNothing: string
  readonly tooLate: string
  readonly wrongAnswer: string
}

/** The sentences in English. */
export const searchTextsEn: SearchTexts = {
  toolDescription:
    'Search the web. Returns titles, addresses and short pieces of text, most relevant first. Ask in a few words, as in a search box.',
  queryDescription: 'what to search for, in a few words',
  nothingFound: ({ query }) => `Nothing was found for "${query}". Try other or fewer words.`,
  allFailed: ({ reasons }) =>
    `The search failed, because no source could be used. ${reasons}. Go on without it, or tell the user.`,
  noSources: ({ start }) =>
    `Nothing can be searched: no companion is connected. Tell the user to start one in a terminal with "${start}" (keys for web search are set in its environment), and to paste the link that it prints into this page.`,
  noCompanion: 'it is not connected',
  emptyQuery: 'The query is empty. Write what to search for.',
  foundNothing: 'it found nothing',
  tooLate: 'it did not answer in time',
  wrongAnswer: 'its answer is no list of results',
}

/** The sentences in Chinese. */
export const searchTextsZh: SearchTexts = {
  toolDescription: '搜索网页。返回标题、网址和简短文字，最相关的在前。请像在搜索框中那样用几个词提问。',
  queryDescription: '要搜索的内容，用几个词',
  nothingFound: ({ query }) => `没有找到与“${query}”相关的内容。请换用其他词或减少词数。`,
  allFailed: ({ reasons }) => `搜索失败，没有可用的来源。${reasons}。请不用搜索继续，或告知用户。`,
  noSources: ({ start }) =>
    `没有可搜索的来源：没有连接 companion。请让用户在终端中用“${start}”启动它（网页搜索的密钥在其环境变量中设置），并把它打印的链接粘贴到此页面。`,
  noCompanion: '没有连接',
  emptyQuery: '查询为空。请写出要搜索的内容。',
  foundNothing: '没有找到任何内容',
  tooLate: '没有及时响应',
  wrongAnswer: '它的回答不是结果列表',
}
