import { changeTextsZh } from './change-texts-zh.ts'
import type { DialogTexts } from './dialog-texts.ts'
import { editorTextsZh } from './editor-texts-zh.ts'
import { elicitTextsZh } from './elicit-texts-zh.ts'
import { policyViewTextsZh } from './policy-view-texts-zh.ts'

const count = (value: number) => value.toLocaleString('zh')

/** The Chinese texts of the confirmation dialog. */
export const dialogTextsZh: DialogTexts = {
  lang: 'zh',
  title: '允许运行这个工具吗？',
  position: (index, total) => `第 ${count(index)} 个，共 ${count(total)} 个`,
  waiting: '等待您的回答',
  pick: '显示请求',
  ended: '已不再等待',
  origin: '来源',
  originApp: '本应用',
  originBuiltin: '本应用（内置）',
  originServer: 'MCP 服务器',
  originPage: '网页',
  originForeign: '其他库：',
  reasons: '询问的原因',
  userFields: '请您填写',
  input: '参数',
  noInput: '没有参数。',
  details: '将要运行的内容',
  showAll: (characters) => `显示全部 ${count(characters)} 个字符`,
  showMore: (items) => `再显示 ${count(items)} 项`,
  omitted: (characters) => `…… 还有 ${count(characters)} 个字符 ……`,
  edit: '编辑',
  loading: '正在加载表单……',
  loadFailed: '无法加载表单：',
  tryAgain: '重试',
  changeLoading: '正在加载更改的内容……',
  changeLoadFailed: '无法加载更改的内容：',
  note: '拒绝的理由，或批准时的附言（可不填）',
  deny: '拒绝',
  approve: '批准',
  approveWithNote: '批准并附言',
  approveFields: '按填写内容批准',
  approveFieldsWithNote: '按填写内容批准并附言',
  remember: '批准的有效期',
  rememberOnce: '仅此一次',
  rememberSession: '本页面打开期间',
  rememberAlways: '始终有效，直到您撤销',
  rememberFor: '适用于',
  rememberInput: '仅限完全相同的参数',
  rememberTool: '这个工具的每次调用',
  rememberToolWarning: '此后这个工具将以任意参数运行，不再询问您。',
  timedOut: (timeoutMs) => `${count(timeoutMs / 1000)} 秒内没有人回答`,
  withdrawn: '运行已停止',
  notLoaded: (why) => `无法加载对话框：${why}；重新加载页面可能有帮助`,
  removed: '对话框已从页面中移除',
  editor: editorTextsZh,
  change: changeTextsZh,
  policy: policyViewTextsZh,
  elicit: elicitTextsZh,
}
