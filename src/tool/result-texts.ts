/** What is said about text that is not to be trusted. */
export interface FenceTexts {
  /** Behind the words that open a fence: whose text is in it. One line; `<` and `>` are left out of it. */
  fenced(name: string): string
  /**
   * Behind the instructions, once a tool is offered whose results are not to be trusted, or the conversation holds
   * such a result: what fences are. `open` and `close` are the words with which they begin and end.
   */
  fenceRule(open: string, close: string): string
}

/** Which characters of a result a sentence is about. */
export interface ResultPlace {
  /** The first one, counted from 0. */
  readonly from: number
  /** The first one behind. */
  readonly to: number
  /** How many the whole result has. */
  readonly total: number
}

/** What is said about results that are too long, and by the tool that reads them. */
export interface LongResultTexts {
  /** Where something is left out of a result. */
  leftOut(chars: number): string
  /**
   * Behind a result that was cut: what is missing, and how to read it with the tool of this name. One line, with the
   * name and the handle in it.
   */
  cutNote(place: ResultPlace, tool: string, handle: string): string
  /** The same where it cannot be read. */
  cutForGood(place: ResultPlace): string
  /** In place of `cutNote` in a later run that can no longer read it. */
  readonly noLongerKept: string
  readonly readDescription: string
  readonly readHandle: string
  readonly readOffset: string
  readLength(most: number): string
  readonly readPattern: string
  /** Behind a piece of a result. */
  pieceNote(place: ResultPlace): string
  /** Before what stands around a found text. */
  foundAt(offset: number): string
  /** Behind what was found; with `next`, there may be more from that offset on. */
  foundNote(count: number, next: number | undefined): string
  /** Nothing is kept under the handle for this run. */
  readonly noResult: string
  beyondEnd(total: number): string
  /** What a parameter of the tool must be. */
  wrongValue(parameter: string, maxPatternChars: number): string
}

/** Every sentence about what results hold that a model reads. */
export interface ResultTexts extends FenceTexts, LongResultTexts {}
