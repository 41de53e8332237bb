/** A text that another site sent, fit to stand in a message: one line, without invisible characters, at most 200 long. */
export function outsideText(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}
