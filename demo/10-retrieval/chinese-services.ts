import { type Service, foreignThing as thing } from './service.ts'
import type { Verb } from './verbs.ts'

/** Made-up servers whose tools have English names and Chinese descriptions, as servers of China have. */
export const chineseServices: readonly Service[] = [
  {
    name: 'huoche',
    place: '火车票',
    things: [
      thing('train', '车次', '高铁、动车和普通列车', 'from to day', 'query list'),
      thing('ticket', '车票', '乘车用的票', 'train day passenger', 'book refund change list'),
      thing('seat', '座位', '一等座、二等座或卧铺', 'train seat', 'choose query'),
      thing('passenger', '乘客', '常用的乘车人', 'name', 'add list update delete'),
      thing('station', '车站', '附近的火车站', 'city', 'query'),
      thing('timetable', '时刻表', '列车到达和出发的时间', 'train', 'get'),
      thing('order', '订单', '已经预订的车票', 'order', 'pay list cancel'),
      thing('waitlist', '候补', '无票时排队购票', 'train day', 'add cancel'),
      thing('fare', '票价', '从一站到另一站的价格', 'from to', 'get'),
    ],
  },
  {
    name: 'caipu',
    place: '菜谱',
    things: [
      thing('recipe', '菜谱', '一道菜的做法', 'dish', 'query get save share'),
      thing('ingredient', '食材', '做菜需要的材料', 'dish', 'list replace'),
      thing('shopping_list', '购物清单', '要买的东西', 'name', 'create add list delete'),
      thing('meal_plan', '一周食谱', '每天早餐、午餐和晚餐吃什么', 'day', 'create update get'),
      thing('nutrition', '营养成分', '热量、蛋白质和脂肪', 'dish', 'get compare'),
      thing('restaurant', '餐馆', '附近吃饭的地方', 'city', 'query book'),
      thing('delivery', '外卖', '送到家里的饭菜', 'dish address', 'order track'),
      thing('allergen', '过敏原', '花生、牛奶等引起过敏的成分', 'dish', 'check'),
    ],
  },
]

/** Their verbs. */
export const chineseVerbs: Readonly<Record<string, Verb>> = {
  add: { says: '添加{one}。', takes: 'new' },
  book: { says: '预订{one}。', takes: 'new' },
  cancel: { says: '取消{one}。', takes: 'one' },
  change: { says: '改签{one}，换一个日期或车次。', takes: 'change' },
  check: { says: '检查有没有{one}。', takes: 'new' },
  choose: { says: '选择{one}。', takes: 'new' },
  compare: { says: '比较{one}。', takes: 'list' },
  create: { says: '新建{one}。', takes: 'new' },
  delete: { says: '删除{one}。', takes: 'one' },
  get: { says: '查看{one}。', takes: 'new' },
  list: { says: '列出全部{one}。', takes: 'list' },
  order: { says: '点{one}。', takes: 'new' },
  pay: { says: '支付{one}。', takes: 'one' },
  query: { says: '查询{one}。', takes: 'search' },
  refund: { says: '退掉{one}，把钱退回来。', takes: 'one' },
  replace: { says: '用别的东西代替{one}。', takes: 'new' },
  save: { says: '收藏{one}。', takes: 'one' },
  share: { says: '把{one}分享给朋友。', takes: 'one' },
  track: { says: '查看{one}送到哪里了。', takes: 'one' },
  update: { says: '修改{one}。', takes: 'change' },
}

/** Their parameters. */
export const chineseFields: Readonly<Record<string, string>> = {
  address: '送到的地址',
  city: '城市的名字',
  day: '日期，例如 2026-12-24',
  dish: '菜的名字',
  from: '出发的车站',
  limit: '最多多少条',
  name: '名字',
  order: '订单号',
  passenger: '乘车人的名字',
  query: '要找的词',
  seat: '靠窗还是过道',
  to: '到达的车站',
  train: '车次，例如 G101',
}
