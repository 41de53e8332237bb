/** The first so many UTF-16 units of a text, and no half of a surrogate pair at its end. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  return text.slice(0, Math.max(0, maxChars)).replace(/[\uD800-\uDBFF]$/, '')
}
