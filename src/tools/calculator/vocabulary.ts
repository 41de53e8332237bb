/** A function that an expression may call. */
export type FunctionName = 'sqrt' | 'abs' | 'round' | 'log' | 'sin' | 'cos'

/** How a function is called: with one argument or up to the maximum, and how it is written. */
export interface FunctionSignature {
  readonly name: FunctionName
  readonly maximumArguments: number
  readonly usage: string
}

function signature(name: FunctionName, maximumArguments: number, usage: string): [string, FunctionSignature] {
  return [name, { name, maximumArguments, usage }]
}

// Maps, because a name such as `constructor` must not be found through a prototype.

/** The functions by name. Nothing else can be called. */
export const functionSignatures: ReadonlyMap<string, FunctionSignature> = new Map([
  signature('sqrt', 1, 'sqrt(x)'),
  signature('abs', 1, 'abs(x)'),
  signature('round', 2, 'round(x), round(x, digits)'),
  signature('log', 2, 'log(x), log(x, base)'),
  signature('sin', 1, 'sin(x)'),
  signature('cos', 1, 'cos(x)'),
])

/** The constants by name. */
export const constantValues: ReadonlyMap<string, number> = new Map([
  ['pi', Math.PI],
  ['e', Math.E],
])

/** Every known name, as it is listed in a sentence. */
export const knownNames: string = [...functionSignatures.keys(), ...constantValues.keys()].join(', ')

const nameReplacements: ReadonlyMap<string, string> = new Map([
  ['π', 'pi'],
  ['pow', 'a ** b'],
  ['exp', 'e ** x'],
  ['ln', 'log(x)'],
  ['log10', 'log(x, 10)'],
  ['log2', 'log(x, 2)'],
  ['tan', 'sin(x) / cos(x)'],
  ['mod', 'a % b'],
  ['floor', 'x // 1'],
  ['int', 'x // 1'],
  ['cbrt', 'x ** (1/3)'],
  ['true', '1'],
  ['false', '0'],
])

/** What to write in place of an unknown name (`PI` → `pi`, `pow` → `a ** b`), if it is a common one. */
export function nameReplacement(name: string): string | undefined {
  const plain = name.normalize('NFKC').toLowerCase()
  if (functionSignatures.has(plain) || constantValues.has(plain)) return plain
  return nameReplacements.get(plain)
}

const characterReplacements: ReadonlyMap<string, string> = new Map([
  ['^', '**'],
  ['×', '*'],
  ['·', '*'],
  ['⋅', '*'],
  ['∙', '*'],
  ['∗', '*'],
  ['÷', '/'],
  ['∕', '/'],
  ['⁄', '/'],
  ['−', '-'],
  ['–', '-'],
  ['—', '-'],
  ['√', 'sqrt(x)'],
  ['[', '('],
  [']', ')'],
  ['{', '('],
  ['}', ')'],
  ['、', ','],
])

/** What to write in place of a character that the grammar does not have (`×` → `*`, `²` → `**2`). */
export function characterReplacement(character: string): string | undefined {
  const replacement = characterReplacements.get(character)
  if (replacement !== undefined) return replacement
  const plain = character.normalize('NFKC')
  if (plain === character || !/^[0-9+\-*/%(),.]$/.test(plain)) return undefined
  return /[²³¹⁰⁴-⁹]/.test(character) ? `**${plain}` : plain
}
