import type { ChangeTexts } from './change-texts.ts'

/** The Chinese texts of a change. */
export const changeTextsZh: ChangeTexts = {
  title: '这个工具在获得信任之后已更改',
  about: '删去的内容带删除线，新增的内容带下划线。只有当它仍符合您的意愿时才批准。',
  before: '之前',
  after: '现在',
  nothing: '没有',
  removed: '[删去：',
  added: '[新增：',
}
