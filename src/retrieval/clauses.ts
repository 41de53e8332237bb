/** More clauses than these are not told apart: the rest is one. */
const maxClauses = 12

const sentenceEnd = '[.!?;](?=\\s|$)|[。！？；\\n]'
const englishJoint = ['and then', 'then', 'also', 'after that', 'afterwards', 'finally', 'lastly', 'next']
const moreJoints = ['additionally', 'furthermore', 'moreover', 'besides', 'as well as', 'plus', 'secondly']
const chineseJoints = ['然后', '另外', '此外', '同时', '并且', '接着', '最后', '随后', '还有', '以及', '顺便']

const joint = new RegExp(
  `${sentenceEnd}|\\b(?:${[...englishJoint, ...moreJoints].join('|')})\\b|${chineseJoints.join('|')}`,
  'gi',
)

/** Where the clauses of a text begin and end: cut at sentence ends and at words such as "then" and "also". */
export function findClauses(text: string): readonly { readonly start: number; readonly end: number }[] {
  const clauses: { start: number; end: number }[] = []
  let start = 0
  for (const { index, 0: cut } of text.matchAll(joint)) {
    if (clauses.length === maxClauses - 1) break
    if (text.slice(start, index).trim() !== '') clauses.push({ start, end: index })
    start = index + cut.length
  }
  if (text.slice(start).trim() !== '') clauses.push({ start, end: text.length })
  return clauses
}
