import { element } from './element.ts'

// The parts of a line of TypeScript or JSON that get a colour. In this order: a keyword inside a string is text.
const tokens =
  /(?<comment>\/[/*].*|^ *\*.*)|(?<key>"(?:[^"\\\n]|\\.)*"(?=\s*:))|(?<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|(?<number>\b\d[\d_]*(?:\.\d+)?\b)|(?<keyword>\b(?:import|export|from|const|let|type|interface|readonly|new|return|async|await|if|else|for|of|while|throw|try|catch|function|true|false|null|undefined)\b)/g

/** Code or JSON to read, with a caption. It can be reached with the keyboard, because it may scroll. */
export function codeView(text: string, caption: string): HTMLElement {
  return captioned(caption, coloured(text.trimEnd()))
}

/** Text as it is, with a caption. */
export function textView(text: string, caption: string): HTMLElement {
  return captioned(caption, text)
}

/** A value as indented JSON; a bigint, which JSON has not, as its digits. */
export function jsonText(value: unknown): string {
  const plain = (_key: string, member: unknown) => (typeof member === 'bigint' ? `${member}n` : member)
  return JSON.stringify(value, plain, 2) ?? String(value)
}

/** A value as one line of JSON. */
export function shortJson(value: unknown, maxChars = 140): string {
  const text = jsonText(value)
    .replace(/\n\s*/g, ' ')
    .replace(/([[{]) | ([\]}])/g, '$1$2')
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1)}…`
}

function captioned(caption: string, content: Node | string): HTMLElement {
  const pre = element('pre', { tabindex: '0', role: 'group', 'aria-label': caption }, content)
  return element('figure', { class: 'code' }, element('figcaption', {}, caption), pre)
}

function coloured(text: string): HTMLElement {
  return element('code', {}, ...text.split('\n').map((line) => colouredLine(`${line}\n`)))
}

// A line that is too long goes on two characters further in than it began.
function colouredLine(text: string): HTMLElement {
  const line = element('span', { class: 'code-line' })
  line.style.setProperty('--hang', `${text.search(/\S|$/) + 2}ch`)
  let end = 0
  for (const match of text.matchAll(tokens)) {
    const kind = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined)?.[0] ?? ''
    line.append(text.slice(end, match.index), element('span', { class: `code-${kind}` }, match[0]))
    end = match.index + match[0].length
  }
  line.append(text.slice(end))
  return line
}
