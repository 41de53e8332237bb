import type { ElicitTexts } from './elicit-texts.ts'

/** The Chinese texts of a server's question. */
export const elicitTextsZh: ElicitTexts = {
  formTitle: '服务器请您提供信息',
  urlTitle: '服务器请您打开一个网页',
  unknownServer: '未知服务器',
  details: '询问的内容',
  question: '服务器的询问',
  message: '消息',
  fields: '请您填写',
  formAbout: '您发送的内容会交给该服务器。请勿在此填写密码。',
  address: '地址',
  urlAbout: '将在新标签页中打开。只有认识这个地址时才打开。',
  readsAs: '该域名读作',
  lookalikes: '其中的字母可能与另一个域名的字母看起来相同。',
  send: '发送',
  open: '打开网页',
  decline: '拒绝',
  cancel: '暂不',
}
