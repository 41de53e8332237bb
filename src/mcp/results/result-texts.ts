/** What stands in a result beside text. */
export type ContentKind = 'image' | 'audio' | 'file' | 'link' | 'resource'

/** Why something of a result is not among its parts. */
export type LeftOut = 'too-large' | 'not-base64' | 'too-many'

/** Every sentence about the results of MCP tools that a model reads. */
export interface ResultTexts {
  /** The tool succeeded and gave nothing. */
  readonly noOutput: string
  /** The tool failed and said nothing. */
  failed(toolName: string): string
  /** Stands where something is that is no text; `details` are its name, its type and its size. */
  content(kind: ContentKind, details: string, left?: LeftOut): string
  /** Content of a type that this client does not know. */
  unknownContent(type: string): string
  readonly unreadableContent: string
  /** So many further pieces of content were not looked at. */
  moreContent(count: number): string
  /** At the end of a text that was longer. In characters. */
  cutOff(leftOut: number, whole: number): string
  /** The structured data is not what the tool's `outputSchema` says; `issue` is the first difference. */
  mismatch(issue: string): string
  /** The tool's `outputSchema` promises structured data, and there is none. */
  readonly noStructuredData: string
  /** The structured data is larger or nested deeper than what a page keeps. */
  readonly structuredDataLeftOut: string
  /** Stands for structured data that JSON text cannot show. */
  readonly unshownData: string
  /** Stands for bytes in structured data. */
  bytesInData(chars: number): string
}

const leftOutEn: Record<LeftOut, string> = {
  'too-large': 'left out because it is too large',
  'not-base64': 'left out because its data is not base64',
  'too-many': 'left out because the result holds too many files',
}

/** The sentences in English. */
export const resultTextsEn: ResultTexts = {
  noOutput: '(no output)',
  failed: (toolName) => `${toolName} failed, and its server did not say why.`,
  content: (kind, details, left) =>
    `[${details === '' ? kind : `${kind}: ${details}`}${left === undefined ? '' : `; ${leftOutEn[left]}`}]`,
  unknownContent: (type) => `[content of the unknown type "${type}" is left out]`,
  unreadableContent: '[content that cannot be read is left out]',
  moreContent: (count) => `[${count} more pieces of content are left out]`,
  cutOff: (leftOut, whole) =>
    `\n[Cut off here: ${leftOut} of ${whole} characters are left out. Ask for less, or for a part of it.]`,
  mismatch: (issue) => `[The structured data does not fit the tool's outputSchema: ${issue}]`,
  noStructuredData: "[The structured data that the tool's outputSchema promises is missing.]",
  structuredDataLeftOut: '[The structured data is left out because it is too large or nested too deeply.]',
  unshownData: '[structured data that cannot be shown]',
  bytesInData: (chars) => `[${chars} characters of base64]`,
}

const kindsZh: Record<ContentKind, string> = {
  image: '图片',
  audio: '音频',
  file: '文件',
  link: '链接',
  resource: '资源',
}

const leftOutZh: Record<LeftOut, string> = {
  'too-large': '过大，已省略',
  'not-base64': '数据不是 base64，已省略',
  'too-many': '结果中的文件过多，已省略',
}

/** The sentences in Chinese. */
export const resultTextsZh: ResultTexts = {
  noOutput: '（无输出）',
  failed: (toolName) => `${toolName} 失败，服务器没有说明原因。`,
  content: (kind, details, left) =>
    `[${details === '' ? kindsZh[kind] : `${kindsZh[kind]}：${details}`}${left === undefined ? '' : `；${leftOutZh[left]}`}]`,
  unknownContent: (type) => `[未知类型“${type}”的内容已省略]`,
  unreadableContent: '[无法读取的内容已省略]',
  moreContent: (count) => `[另有 ${count} 项内容已省略]`,
  cutOff: (leftOut, whole) =>
    `\n[在此截断：共 ${whole} 个字符，省略了 ${leftOut} 个。请减少请求的内容，或只请求其中一部分。]`,
  mismatch: (issue) => `[结构化数据与该工具的 outputSchema 不符：${issue}]`,
  noStructuredData: '[缺少该工具的 outputSchema 所承诺的结构化数据。]',
  structuredDataLeftOut: '[结构化数据过大或嵌套过深，已省略。]',
  unshownData: '[无法显示的结构化数据]',
  bytesInData: (chars) => `[${chars} 个 base64 字符]`,
}
