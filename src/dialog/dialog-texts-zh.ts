import type { DialogTexts } from './dialog-texts.ts'

const count = (value: number) => value.toLocaleString('zh')

/** The Chinese texts of the confirmation dialog. */
export const dialogTextsZh: DialogTexts = {
  lang: 'zh',
  title: '允许运行这个工具吗？',
  position: (index, total) => `第 ${count(index)} 个，共 ${count(total)} 个`,
  origin: '来源',
  originApp: '本应用',
  originBuiltin: '本应用（内置）',
  originServer: 'MCP 服务器',
  originPage: '网页',
  reasons: '询问的原因',
  input: '参数',
  noInput: '没有参数。',
  details: '将要运行的内容',
  showAll: (characters) => `显示全部 ${count(characters)} 个字符`,
  showMore: (items) => `再显示 ${count(items)} 项`,
  omitted: (characters) => `…… 还有 ${count(characters)} 个字符 ……`,
  denialReason: '拒绝的理由（可不填）',
  deny: '拒绝',
  approve: '批准',
  timedOut: (timeoutMs) => `${count(timeoutMs / 1000)} 秒内没有人回答`,
  withdrawn: '运行已停止',
  removed: '对话框已从页面中移除',
}
