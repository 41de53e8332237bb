import { isRecord, isStringList } from '../../tool/value-kinds.ts'

/** A command as the companion would run it. */
export interface CommandPlan {
  /** The words of the command as it was asked for, without the quotes. */
  readonly words: readonly string[]
  /** Exactly what is run; the companion may have added flags that keep a program from more than reading. */
  readonly argv: readonly string[]
  /** The file of the program, links resolved. */
  readonly program: string
  /** The folder in which it runs, links resolved. */
  readonly folder: string
}

/** A plan, and the digest that a yes is bound to. */
export interface DigestedPlan extends CommandPlan {
  readonly digest: string
}

/** Reads a plan of the companion; undefined when it is none. */
export function readPlan(data: unknown): DigestedPlan | undefined {
  if (!isRecord(data)) return undefined
  const { words, argv, program, folder, digest } = data
  if (!isStringList(words) || !isStringList(argv) || typeof program !== 'string') return undefined
  if (typeof folder !== 'string' || typeof digest !== 'string') return undefined
  return Object.freeze({ words, argv, program, folder, digest })
}
