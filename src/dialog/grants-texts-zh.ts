import { dialogTextsZh } from './dialog-texts-zh.ts'
import type { GrantsTexts } from './grants-texts.ts'

/** The Chinese texts of `<offstage-grants>`. */
export const grantsTextsZh: GrantsTexts = {
  lang: 'zh',
  title: '无需询问即可运行',
  about: '这些工具运行前不再询问您。不想保留的请撤销，之后会再次询问。',
  empty: '没有无需询问即可运行的工具。您在被询问时选择记住的内容会显示在这里。',
  granted: (time) => `批准于 ${time.toLocaleString('zh', { dateStyle: 'medium', timeStyle: 'short' })}`,
  revoke: '撤销',
  revokeAll: '全部撤销',
  revoked: '已撤销：',
  revokedAll: '已全部撤销。',
  failed: '操作未成功：浏览器存储出错。仍在列表中的仍然有效，请重试。',
  notKept: '浏览器在这里不保存任何内容：选择“始终”的批准仅在此页面打开期间有效。',
  dialog: dialogTextsZh,
}
