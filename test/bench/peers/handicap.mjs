/** By how much each answer of the model is delayed, in milliseconds; `bench peers --handicap` writes it. */
export const handicapMs = 0
