/**
 * Phrases that give orders to a model instead of saying what a tool does. In the languages of the library's
 * texts.
 */
const orders: readonly RegExp[] = [
  /\b(?:before|prior to|after) (?:using|calling|invoking|running|you use|you call)\b/i,
  /\b(?:always|first|must|you should|never) (?:call|use|invoke|run)\b/i,
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|other|all|system)\b/i,
  /\b(?:do not|don't|don’t|never|without) (?:tell|telling|mention|mentioning|inform|informing|notify|notifying|reveal|revealing|show|showing|ask|asking)\b[^.\n]{0,20}\b(?:the )?(?:user|users|person|human|anyone|anybody)\b/i,
  /\b(?:system prompt|important instructions?|hidden instructions?|new instructions?)\b|<important>/i,
  /\b(?:instead of|rather than|in place of) (?:using |calling )?(?:the |any )?other tools?\b/i,
  /忽略(?:之前|以上|先前|前面|所有)|(?:不要|请勿|切勿|别)(?:告诉|告知|提及|通知)[^。\n]{0,6}(?:用户|使用者|任何人)|(?:必须|务必|总是)(?:先)?调用|(?:使用|调用)(?:任何|其他|其它)?工具(?:之前|前)/,
]

/** The first such phrase in each kind, as it stands there. At most three. */
export function findOrders(text: string): readonly string[] {
  // Wide and other letters of compatibility, as a model reads them.
  const plain = text.normalize('NFKC').replace(/\s+/g, ' ')
  return orders.flatMap((order) => order.exec(plain)?.[0] ?? []).slice(0, 3)
}

/** A name that may be an ordinary word counts only where it stands as a name. */
const ordinary = /^\p{L}\p{Ll}*$/u

/** Which of the tool names a text holds. At most five. */
export function findNames(text: string, names: Iterable<string>): readonly string[] {
  const found: string[] = []
  for (const name of names) {
    if (name.length < 3 || !text.includes(name) || found.includes(name)) continue
    if (isNamed(text, name)) found.push(name)
    if (found.length === 5) break
  }
  return found
}

/** Of one name: a server chooses both the names and the text. */
const maxPlaces = 200

function isNamed(text: string, name: string): boolean {
  const isOrdinary = ordinary.test(name)
  let at = text.indexOf(name)
  for (let place = 0; at >= 0 && place < maxPlaces; place += 1, at = text.indexOf(name, at + name.length)) {
    const before = text.slice(Math.max(0, at - 6), at)
    const after = text.slice(at + name.length, at + name.length + 6)
    if (/[\p{L}\p{N}_]$/u.test(before) || /^[\p{L}\p{N}_]/u.test(after)) continue
    const isMarked =
      /[`"'“‘「]$/.test(before) || /^(?:\(|[`'"”’」]? tool\b)/.test(after) || /\btool $/.test(before)
    if (!isOrdinary || isMarked) return true
  }
  return false
}
