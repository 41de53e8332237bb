/** Every sentence about what has changed of a tool since it was trusted. */
export interface ChangeTexts {
  /** Heading of the old and the new texts. */
  readonly title: string
  /** Says what to look at. */
  readonly about: string
  readonly before: string
  readonly after: string
  /** Stands in place of a text that was not there, or is not there any more. */
  readonly nothing: string
  /** Stands before a piece that only the old text has, for those who hear it. A "]" stands behind it. */
  readonly removed: string
  /** The same for a piece that only the new text has. */
  readonly added: string
}

/** The English texts of a change. */
export const changeTextsEn: ChangeTexts = {
  title: 'This tool has changed since it was trusted',
  about:
    'What is gone is struck through, what is new is underlined. Approve only if this is still what you want.',
  before: 'Before',
  after: 'Now',
  nothing: 'not there',
  removed: '[removed: ',
  added: '[new: ',
}
