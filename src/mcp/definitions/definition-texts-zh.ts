import type { DefinitionTexts } from './definition-texts.ts'

/** The sentences about definitions in Chinese. */
export const definitionTextsZh: DefinitionTexts = {
  noName: '它没有名称，因此无法调用。',
  emptyName: '它的名称为空，因此无法调用。',
  longName: (chars, most) => `它的名称有 ${chars} 个字符；最多接受 ${most} 个。`,
  unreadableDefinition: (why) => `无法读取它的定义：${why}。`,
  duplicateName: (times) =>
    `服务器用这个名称列出了 ${times} 个工具，无法判断一次调用会运行哪一个。因此一个也不提供；服务器必须给每个工具各自的名称。`,
  tooManyTools: (most, others) =>
    `服务器的工具超过 ${most} 个；其余 ${others} 个没有读取。请调高 maxTools，或让服务器少提供一些。`,
  largeDefinition: (why) => `它的定义${why}。请服务器的作者提供更小的定义。`,
  largeDefinitions: (mostKiB) =>
    `服务器所有工具的定义合计超过 ${mostKiB} KiB；这一个没有读取。请服务器的作者减少工具或缩小定义。`,
  refusedInputSchema: (why) => `它的输入结构${why}。`,

  excess: ({ limit, most }) => {
    if (limit === 'depth') return `嵌套超过 ${most} 层`
    return limit === 'parts' ? `包含超过 ${most} 个对象和列表` : `大于 ${most} KiB`
  },
  noSchema: '不是 JSON Schema 对象',
  noObject: '描述的不是对象',
  endlessSchema: '以无法在有限时间内检查的方式引用自身',
  unusableSchema: (fault) => `无法使用：${fault}`,
  hiddenInName: (characters) => `含有带不可见字符的名称（${characters}）`,
  markupInName: '含有带特殊标记的名称，模型可能把这些标记当作别人说的话',
  longSchemaName: (chars) => `含有长达 ${chars} 个字符的名称`,
  unusableNamePattern: (risk) => `含有无法使用的名称模式：${risk}`,
  wrongNeeds: (path) => `在“${path}”处有误：应为由名称列表组成的对象`,

  tooManyPatterns: '该结构的模式太多',
  longPattern: (most) => `它超过 ${most} 个字符`,
  noPattern: '它不是 JavaScript 的正则表达式',
  complicatedPattern: '它太复杂，无法判断需要多长时间',
  slowPattern: '某些文本会让它耗时过长',
  hiddenInPattern: (characters) => `它含有不可见字符（${characters}）`,
  markupInPattern: '它含有模型可能当作别人所说的话的标记',

  hiddenCharacters: (field, characters) =>
    `${field} 中含有不可见字符（${characters}）；模型不会收到这些字符。`,
  htmlComment: (field) => `${field} 中含有 HTML 注释；模型不会收到该注释。`,
  chatMarkup: (field) => `${field} 中含有模型可能当作别人所说的话的标记；这些标记已被拆开。`,
  blankRun: (field) => `${field} 用空行或空格把自身的一部分推到了视线之外。`,
  overLong: (field, chars) => `${field} 有 ${chars} 个字符；模型只会收到开头部分。`,
  noDescription: '服务器没有说明这个工具做什么。',
  noInputSchema: '服务器没有说明这个工具接受什么输入：它不会收到任何输入。',
  unusedOutputSchema: (why) => `输出结构${why}。工具仍可使用；其结果不做检查。`,
  uncheckedPattern: (path, why) => `${path} 中的模式在本页面不做检查：${why}。`,
  changedValue: (path, characters) =>
    `${path} 中的一个值在交给模型之前被修改：它含有不可见字符（${characters}）。`,
  markupInValue: (path) => `${path} 中的一个值在交给模型之前被修改：它含有模型可能当作别人所说的话的标记。`,
  longValue: (path, most) => `${path} 中的一个值在交给模型之前被修改：它超过 ${most} 个字符。`,
  givesOrders: (orders) =>
    `它的文字在向模型下命令：${orders.map((order) => `“${order}”`).join('、')}。请在信任它之前先读一读。`,
  namesOtherTools: (names) =>
    `它的文字提到了其他工具（${names.join('、')}）：这可能改变模型使用那些工具的方式。`,

  descriptionInstead: '服务器没有提供这个工具的说明。',
  cutNote: (chars) => ` […已截断：服务器的文本共 ${chars} 个字符]`,
  mustMatch: (pattern) => `必须匹配模式 ${pattern}`,
}
