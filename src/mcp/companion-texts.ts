import type { CompanionErrorCode } from './companion-error.ts'

/** What a sentence about a companion is made of. */
export interface CompanionProblem {
  /** Where it was looked for: `http://127.0.0.1:4000`. */
  readonly url: string
  /** The origin of the page. */
  readonly origin: string
  /** How the companion is started for this page. */
  readonly start: string
  /** What went wrong, in the words of whoever found it. */
  readonly reason: string
}

/** The sentences of `connectCompanion`, one for each code; a person reads them. */
export type CompanionTexts = { readonly [Code in CompanionErrorCode]: (problem: CompanionProblem) => string }

/** The sentences in English. */
export const companionTextsEn: CompanionTexts = {
  'bad-link': ({ start }) =>
    `This is no pairing link. Start the companion in a terminal with "${start}", and paste the whole link that it prints: it looks like http://127.0.0.1:4000/#pair=….`,
  'not-running': ({ url, start }) =>
    `Nothing answers at ${url}: the companion is not running. Start it in a terminal with "${start}", and paste the new link that it prints.`,
  origin: ({ origin, start }) =>
    `The companion does not serve pages of ${origin}. End it, start it again with --origin ${origin} (such as "${start}"), and paste the new link.`,
  'link-used': () =>
    'This link was used already, or a newer one took its place. Press Enter in the terminal of the companion, and paste the new link that it prints.',
  'link-expired': () =>
    'This link has expired. Press Enter in the terminal of the companion, and paste the new link that it prints.',
  'link-unknown': ({ url }) =>
    `The companion at ${url} does not know this link: perhaps it was started again since. Press Enter in its terminal, and paste the new link that it prints.`,
  'too-many-tries': () =>
    'Too many wrong links were tried, so the companion takes none for a minute. Then press Enter in its terminal, and paste the new link that it prints.',
  'local-network': ({ origin, url }) =>
    `The browser keeps ${origin} from ${url} on this machine. Connect again with a click and allow access to apps on this device when the browser asks; if it does not ask, allow it in the settings of this site.`,
  csp: ({ url, reason }) => `This page's own Content Security Policy does not allow ${url}. ${reason}`,
  failed: ({ url, reason }) => `The companion at ${url} could not be used: ${reason}`,
}

/** The sentences in Chinese. */
export const companionTextsZh: CompanionTexts = {
  'bad-link': ({ start }) =>
    `这不是配对链接。请在终端中用“${start}”启动 companion，并完整粘贴它打印的链接，形如 http://127.0.0.1:4000/#pair=…。`,
  'not-running': ({ url, start }) =>
    `${url} 没有响应：companion 没有运行。请在终端中用“${start}”启动它，并粘贴它打印的新链接。`,
  origin: ({ origin, start }) =>
    `companion 不接受来自 ${origin} 的页面。请结束它，加上 --origin ${origin} 重新启动（例如“${start}”），并粘贴新链接。`,
  'link-used': () =>
    '此链接已被使用，或已被更新的链接取代。请在 companion 的终端中按回车键，并粘贴它打印的新链接。',
  'link-expired': () => '此链接已过期。请在 companion 的终端中按回车键，并粘贴它打印的新链接。',
  'link-unknown': ({ url }) =>
    `${url} 上的 companion 不认识此链接：它可能重新启动过。请在它的终端中按回车键，并粘贴它打印的新链接。`,
  'too-many-tries': () =>
    '尝试错误链接的次数过多，companion 在一分钟内不再接受链接。之后请在它的终端中按回车键，并粘贴它打印的新链接。',
  'local-network': ({ origin, url }) =>
    `浏览器不允许 ${origin} 访问本机的 ${url}。请再次点击连接，并在浏览器询问时允许访问此设备上的应用；如果浏览器没有询问，请在此网站的设置中允许。`,
  csp: ({ url, reason }) => `此页面自身的内容安全策略不允许访问 ${url}。${reason}`,
  failed: ({ url, reason }) => `无法使用 ${url} 上的 companion：${reason}`,
}
