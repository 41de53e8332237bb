import { type JsonObject, joinPath } from '../tool/json-value.ts'
import type { Dialect } from './dialect.ts'
import type { DialectTexts, DialectWord } from './dialect-texts.ts'
import type { Projected, ProjectionLoss } from './projected.ts'

/** A definition that the copy refers to. */
export interface WireDefinition {
  readonly name: string
  projected?: Projected
}

/** One schema on its way into a dialect. */
export interface Projecting {
  readonly root: JsonObject
  readonly dialect: Dialect
  readonly texts: DialectTexts
  readonly report: ProjectionLoss[]
  /** Why the schema cannot be strict. */
  readonly refusals: string[]
  /** What contains itself. */
  readonly recursive: ReadonlySet<unknown>
  readonly definitions: Map<unknown, WireDefinition>
  /** What references led to, from the root to here. */
  open: readonly unknown[]
  /** How many of those the root is behind itself. */
  outer: number
  /** How much was written of what references led to. */
  nodes: number
  /** Writes the schema of a part. */
  readonly part: (raw: unknown, path: string) => Projected
}

/** A node on its way, and what is told of it in words. */
export interface Place {
  readonly path: string
  readonly notes: string[]
  readonly projecting: Projecting
}

/** Tells in words what the dialect cannot say. */
export function say(
  { path, notes, projecting }: Place,
  word: DialectWord,
  value: unknown,
  lost: string,
): void {
  const text = typeof value === 'string' ? value : briefJson(value)
  notes.push(projecting.texts[word](text))
  projecting.report.push({ path, lost, became: 'words in the description' })
}

/** Notes that the copy says something in another way. */
export function lose({ path, projecting }: Place, lost: string, became: string): void {
  projecting.report.push({ path, lost, became })
}

/** Notes why the schema cannot be strict. */
export function refuseStrict({ path, projecting }: Place, why: string): void {
  projecting.refusals.push(path === '' ? `it ${why}` : `"${path}" ${why}`)
}

/** The path of the items of an array. */
export function itemPath(path: string): string {
  return joinPath(path, '*')
}

/** JSON for a sentence, cut where it is long. */
export function briefJson(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
