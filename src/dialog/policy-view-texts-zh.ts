import type { PolicyViewTexts } from './policy-view-texts.ts'

const shortZh: ReadonlyMap<string, string> = new Map([
  ['untrusted-effect', '这次调用可能是外部内容的意图，而不是您的意图。'],
  ['private-egress', '它会把参数发送出去：请检查其中是否含有私密信息。'],
  ['revealed-tool', '在代理读取外部内容之前，没有提供过这个工具。'],
  ['unknown-destination', ''],
])

/** The Chinese texts. */
export const policyViewTextsZh: PolicyViewTexts = {
  inShort: (rule) => shortZh.get(rule),
  inFull: '完整的原因',
  destinations: '它会联系以下地址，而您和本应用都没有提到过',
  looksLike: '看起来像',
  untrusted: '代理读取过的不可信内容',
  secrets: '代理读取过的私密数据',
  page: '网页，读取它的工具是',
  result: '结果，来自工具',
  history: '本对话中较早的结果，来自工具',
  description: '工具对自身的说明（无人确认过），来自',
}
