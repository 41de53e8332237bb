import { readableHost } from '../tool/punycode.ts'
import type { ElicitTexts } from './elicit-texts.ts'
import { literalElement } from './literal-view.ts'
import { makeElement } from './make-element.ts'

/**
 * The address that a server wants opened.
 *
 * @throws Error unless it is https, without a user's name in it: that is there to be taken for the host.
 */
export function checkedAddress(address: string): URL {
  if (!URL.canParse(address)) throw new Error('The server asks to open something that is no address.')
  const url = new URL(address)
  if (url.protocol !== 'https:') {
    throw new Error(`The server asks to open an address of ${url.protocol} – only https: is opened.`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error('The server asks to open an address with a user name or a password in it.')
  }
  return url
}

/** Shows all of an address, letter for letter, with its host before everything else. */
export function addressView(url: URL, texts: ElicitTexts): readonly HTMLElement[] {
  const { host, hostname, protocol, pathname, search, hash } = url
  const line = makeElement(
    'div',
    { class: 'code address', part: 'address', dir: 'ltr' },
    ...[literalElement(`${protocol}//`), makeElement('strong', {}, literalElement(host))],
    literalElement(pathname + search + hash),
  )
  const heading = makeElement('h3', { part: 'heading' }, texts.address)
  const readable = readableHost(hostname)
  if (readable === hostname) return [heading, line]
  const name = makeElement('strong', {}, literalElement(readable))
  return [
    heading,
    line,
    makeElement('p', { class: 'warning' }, `${texts.readsAs} `, name, `. ${texts.lookalikes}`),
  ]
}

/** Opens it in a tab that knows nothing of this page. Only while a trusted event is handled. */
export function openAddress(url: URL): void {
  window.open(url.href, '_blank', 'noopener,noreferrer')
}
