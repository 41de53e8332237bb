/** Most characters (UTF-16 units) of one append. */
export const maxAppendChars = 50_000

/** Most bytes of a note, as it is stored. */
export const maxNoteBytes = 2_000_000

/** Most characters of a note that a model reads at a time. */
export const maxReadChars = 8_000

/** Most characters of a search. */
export const maxQueryLength = 200
