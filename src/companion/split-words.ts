/**
 * Splits a command of the person's own command line into words: at spaces, with quotes kept together. There are no
 * variables, operators or escapes; what needs more than that stands in the config file as a list of words.
 *
 * @throws Error for a quote that is not closed.
 */
export function splitWords(line: string): string[] {
  const words = line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []
  const rest = line.replace(/"[^"]*"|'[^']*'/g, '')
  if (/["']/.test(rest)) throw new Error(`A quote is not closed in ${JSON.stringify(line)}.`)
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, (_all, double, single) => double ?? single))
}
