import { isPage, namedSources, type PolicyTexts, shownDestination } from './policy-texts.ts'
import type { TaintSource } from './taint-source.ts'

const sourceZh = (source: TaintSource): string => {
  const { kind, toolName, origin, about } = source
  if (kind === 'description') return `来自 ${origin} 的工具说明（无人确认过）`
  if (kind === 'history') return `本对话中较早的工具 ${toolName} 的结果`
  if (isPage(source)) return `网页 ${about}（工具 ${toolName}）`
  return about === undefined ? `工具 ${toolName} 的结果` : `工具 ${toolName} 对“${about}”的结果`
}

const fromZh = (sources: readonly TaintSource[]) =>
  namedSources(sources, sourceZh, (count) => `另外 ${count} 处`, '；')

/** The Chinese texts. */
export const policyTextsZh: PolicyTexts = {
  untrustedEffect: (sources) =>
    `代理读取了不可信的内容：${fromZh(sources)}。这次调用可能是那些内容的意图，而不是您的意图。`,
  privateEgress: (sources, secrets) =>
    `这次调用会把参数发送出去。代理读取过私密数据（${fromZh(secrets)}）和不可信的内容（${fromZh(sources)}）：请检查参数中是否含有私密信息。`,
  revealed: (sources) => `在代理读取不可信的内容之前，没有提供过这个工具：${fromZh(sources)}。`,
  unknownDestinations: (destinations, sources) =>
    `您和本应用都没有提到过 ${destinations.map((one) => shownDestination(one, (readable) => `读作 ${readable}`)).join('、')}。它可能来自：${fromZh(sources)}。`,
  ruleFailed: (rule, message) => `规则“${rule}”出错：${message}`,
}
