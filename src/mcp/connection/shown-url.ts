/**
 * An address as it stands in a message, which apps log and models read: without its query, as many servers are given a
 * key there.
 */
export function shownUrl(url: URL): string {
  return url.search === '' ? `${url.origin}${url.pathname}` : `${url.origin}${url.pathname}?…`
}
