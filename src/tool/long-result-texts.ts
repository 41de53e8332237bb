import type { LongResultTexts } from './result-texts.ts'

/** The English texts, which are the default. */
export const longResultTextsEn: LongResultTexts = {
  leftOut: (chars) => `[… ${chars} characters left out …]`,
  cutNote: ({ from, to, total }, tool, handle) =>
    `(The result has ${total} characters; those from ${from} to ${to} were left out. To read them call ${tool} with the handle "${handle}" and an offset, or a pattern to find.)`,
  cutForGood: ({ from, to, total }) =>
    `(The result has ${total} characters; those from ${from} to ${to} were left out and cannot be read. If you need them, call again and ask for less.)`,
  noLongerKept:
    '(What was left out of the result is no longer kept and cannot be read. If you need it, call the tool again and ask for less.)',
  readDescription:
    'Reads a result of this conversation that was too long to be shown whole: a piece of it, or the places where a text stands in it.',
  readHandle: 'The handle that the note behind the result gives.',
  readOffset: 'Where to begin, in characters from the start of the result.',
  readLength: (most) => `How many characters to read, at most ${most}.`,
  readPattern:
    'A text to find, as it stands (no regular expression), in upper or lower case. What is found from the offset on is shown with what stands around it.',
  pieceNote: ({ from, to, total }) =>
    `[characters ${from} to ${to} of ${total}${to < total ? `; go on with offset ${to}` : ', the end'}]`,
  foundAt: (offset) => `[at offset ${offset}]`,
  foundNote: (count, next) =>
    `[found ${count} times${next === undefined ? ', to the end' : `; search on with offset ${next}`}]`,
  noResult:
    'There is no result with this handle in this conversation: the handle is not written as in the note, or the result is no longer kept. Call the tool again that gave it.',
  beyondEnd: (total) => `The result has ${total} characters; give an offset below that.`,
  wrongValue: (parameter, maxPatternChars) =>
    parameter === 'handle' || parameter === 'pattern'
      ? `give a string${parameter === 'pattern' ? ` of at most ${maxPatternChars} characters` : ''}`
      : `give a whole number of at least ${parameter === 'offset' ? 0 : 1}`,
}
