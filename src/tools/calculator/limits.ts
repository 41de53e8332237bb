/** Longest expression that is read, in UTF-16 units. */
export const maximumCharacters: number = 1000

/** Most numbers, names, operators and calls in one expression. */
export const maximumNodes: number = 500

/** Deepest nesting of brackets, calls, signs and powers. */
export const maximumNesting: number = 100

/** Most decimal digits a whole number may have, whether written or computed. */
export const maximumDigits: number = 1000

/** Largest size of the second argument of `round`, in digits, to either side of the point. */
export const maximumRoundDigits: number = 1000

/** Largest angle, in radians to either side of 0; above it a decimal no longer holds even the whole radians. */
export const maximumAngle: number = 2 ** 53

/** Smallest decimal above zero that still has all its 15 digits; below it doubles lose them one by one. */
export const smallestDecimal: number = 2.2250738585072014e-308

/** Largest decimal, as it is named in sentences. */
export const largestDecimalText: string = '1.79e308'

/** {@link smallestDecimal} as it is named in sentences. */
export const smallestDecimalText: string = '2.23e-308'
