import type { JsonFault } from './arguments/scan-json.ts'
import { issueLines, type ModelTexts } from './model-texts.ts'
import { policyTextsZh } from './policy-texts-zh.ts'
import { resultTextsZh } from './result-texts-zh.ts'

const faultsZh: Readonly<Record<Exclude<JsonFault['kind'], 'cut-off'>, string>> = {
  quote: '键和字符串必须使用双引号',
  literal: '值只能是字符串、数字、true、false、null、数组或对象',
  comment: 'JSON 中不能有注释',
  depth: '嵌套过深',
  more: '对象之后还有其他内容；每个调用只发送一个对象',
  around: '对象前后有多余的文字',
  syntax: '此处的内容不符合语法',
}

/** The Chinese texts. */
export const modelTextsZh: ModelTexts = {
  noOutput: '(无输出)',
  noTools: '(没有工具)',
  parameterLine: ({ name, type, required, fallback, description }) =>
    `${name}（${type}，${required ? '必填' : '可选'}${fallback === undefined ? '' : `，默认 ${fallback}`}）${description === '' ? '' : `：${description}`}`,
  unknownTool: (name, visible, closest) => {
    const guess = closest === undefined ? '' : `你是不是要用“${closest}”？`
    const list = visible.length === 0 ? '当前没有可用的工具。' : `可用的工具：${visible.join('、')}。`
    return `没有名为“${name}”的工具。${guess}${list}`
  },
  notLoaded: (name, search) =>
    search === undefined
      ? `${name} 没有执行：它此前尚未加载。现在已加载：请查看它的参数，然后重新调用。`
      : `${name} 没有执行：它尚未加载。请先用 ${search} 找到它，然后再调用。`,
  notAnObject: (name) => `${name} 的参数必须是一个 JSON 对象，例如 {}。`,
  notJson: (name, { kind, at, found }) =>
    kind === 'cut-off'
      ? `${name} 的参数在第 ${at + 1} 个字符处被截断，因此没有执行。请重新发送完整的参数，必要时缩短内容。`
      : `${name} 的参数在第 ${at + 1} 个字符处（${JSON.stringify(found)}）不是合法的 JSON：${faultsZh[kind]}。请发送一个 JSON 对象。`,
  invalidInput: (name, issues) =>
    `${name} 的参数不正确。${issueLines(issues, '参数', '整个输入', '其余问题数：')}。`,
  tryAgain: '请改正后重新调用。',
  exhausted: (name, attempts) => `${name} 已连续失败 ${attempts} 次，在本次运行中不再可用。请不要再次调用。`,
  closed: (name) => `${name} 没有执行：它失败次数过多，在本次运行中不再可用。`,
  notAllowed: (name, reason) => `不允许调用 ${name}：${reason}。请不要再试。`,
  deniedByName: (name) => `“${name}”在禁止名单上`,
  deniedByOrigin: (origin) => `来源为“${origin}”的工具在禁止名单上`,
  notOnAllowList: (name, origin) => `“${name}”（来源“${origin}”）不在允许名单上`,
  denied: (name, reason) =>
    `用户拒绝了这次 ${name} 调用${reason === undefined ? '' : `：${reason}`}。它没有执行。除非用户要求，否则不要再次调用。`,
  againstPolicy: (name, reason) =>
    `${name} 没有执行：安全策略不允许。${reason}除非用户要求，否则不要再次调用。`,
  nobodyToAsk: (name) => `${name} 需要有人批准，但现在没有人可以批准。它没有执行，请不要再次调用。`,
  notAnswered: (name, reason) => `${name} 没有执行：向用户的询问没有得到回答就结束了（${reason}）。`,
  leftOpen: (name) => `${name} 没有执行：用户没有回答关于它的询问。除非用户要求，否则不要再次调用。`,
  waiting: (name) => `${name} 正在等待回答，还没有结果。`,
  unreachable: (sources) =>
    `这些工具来源目前无法连接，其工具不可用：${sources.join('、')}。如果任务需要它们，请说明。`,
  confirmFailed: (name, reason) => `${name} 没有执行：向用户询问时出错（${reason}）。`,
  inputEdited: (input) => `（用户在批准前修改了参数。实际执行的是：${input}）`,
  approvedWithNote: (note) => `（用户批准时附言：${note}）`,
  blockedByMiddleware: (name, reason) => `${name} 没有执行：被拦截（${reason}）。`,
  middlewareFailed: (name, reason) => `${name} 已执行，但结果丢失：${reason}。它可能已经产生了作用。`,
  changedTwice: (name) => `${name} 没有执行：用户批准之后，它的参数又被修改了。`,
  askedTwice: (name) => `${name} 没有执行：它已获批准，却又再次请求批准。`,
  toolChanged: (name) => `${name} 没有执行：询问用户期间该工具已被替换。请重新调用，以便就新的工具询问用户。`,
  timeout: (name, timeoutMs) => `${name} 已被停止：它没有在 ${timeoutMs} 毫秒内完成。`,
  checkTimeout: (name) => `${name} 没有执行：检查参数没有及时完成。`,
  stateLost: '它保存的状态已经丢失。',
  stillRunning: '它对停止没有反应，可能仍在运行。',
  cancelled: (name, mayHaveRun) =>
    mayHaveRun ? `${name} 已取消，可能已执行了一部分。` : `${name} 在执行之前已取消。`,
  mayHaveRun: (name, reason) => `${name} 被中断：${reason}。它可能已经执行；再次调用前请先确认。`,
  interrupted: (name) => `${name} 被中断：执行期间页面被关闭。它可能已经执行；再次调用前请先确认。`,
  notJournalled: (name, reason) => `${name} 没有执行：无法保存它的开始记录（${reason}）。`,
  answerGiven: (name) => `${name} 没有执行：同一条消息中已给出最终答案。`,
  answerThrough: (name) => `请通过调用 ${name} 给出最终答案。`,
  callLimit: (name, limit) => `${name} 没有执行：一个步骤最多执行 ${limit} 个调用。请在下一步再调用。`,
  toolLimit: (name, limit) => `${name} 没有执行：已达到 ${limit} 次工具调用的上限。请用已有的信息回答。`,
  ownLimit: (name, limit) => `${name} 没有执行：一次运行中它最多执行 ${limit} 次。请用已有的信息回答。`,
  cutOff: (name, reason) => `${name} 没有执行：你的消息被截断（${reason}），其中的调用可能不完整。`,
  threw: (_name, message) => message,
  lostPart: (name) => `[${name}：无法读取]`,
  siblingFailed: '同一步骤中的另一个调用失败了。',
  results: resultTextsZh,
  policy: policyTextsZh,
}
