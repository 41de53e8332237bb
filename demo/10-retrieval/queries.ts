/** Ready-made searches: what people ask, with the words they have for it. */
export const queries: readonly string[] = [
  'send somebody their money back',
  'Is it going to rain in Oslo tomorrow?',
  'translate a contract and then e-mail it',
  'where is my package',
  '查询附近的餐馆',
  'calendar_book_room',
  'knit a pullover',
]
