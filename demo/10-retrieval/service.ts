/** A made-up server. */
export interface Service {
  /** Begins the names of its tools. */
  readonly name: string
  /** What its tools say they work on. */
  readonly place: string
  readonly things: readonly Thing[]
}

/** What the tools of a server deal with. */
export interface Thing {
  /** In its language; in English also a part of the tools' names. */
  readonly word: string
  /** In English, where the language is another. */
  readonly englishWord?: string
  /** What it is: "An event is …". */
  readonly is: string
  /** The fields that one is made of, the required one first. */
  readonly fields: readonly string[]
  /** A tool for each. */
  readonly verbs: readonly string[]
}

/** A thing, with fields and verbs as lists of words. */
export function thing(word: string, is: string, fields: string, verbs: string): Thing {
  return { word, is, fields: words(fields), verbs: words(verbs) }
}

/** A thing whose language is another. */
export function foreignThing(
  englishWord: string,
  word: string,
  is: string,
  fields: string,
  verbs: string,
): Thing {
  return { ...thing(word, is, fields, verbs), englishWord }
}

function words(text: string): string[] {
  return text.split(' ').filter((word) => word !== '')
}
