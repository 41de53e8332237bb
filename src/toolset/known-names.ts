import { ToolRegistrationError } from '../tool/errors.ts'
import { nameHint as hintFor } from '../tool/tool-name.ts'
import type { ListedTool } from './listed-tool.ts'
import type { SourceNote, ToolSource } from './tool-source.ts'

/** What to write instead of a name that is not there. */
export function nameHint(name: string, known: Iterable<string>): string {
  return hintFor(name, [...known], 'tools')
}

/**
 * Looks for the names of a list that protects. A name that is missing is a mistake, as it protects nothing;
 * where the tool may yet come (a source failed or changes from step to step) it is a note.
 *
 * @param list - What the list is called in messages, for example `approvalRequired()`.
 * @throws {@link ToolRegistrationError} naming the closest name.
 */
export function checkNames(
  list: string,
  names: readonly string[],
  tools: readonly ListedTool[],
  source: ToolSource,
): readonly SourceNote[] {
  const known = new Set(tools.map(({ definition }) => definition.name))
  const missing = names.filter((name) => !known.has(name))
  const [first] = missing
  if (first === undefined) return []
  const mayCome = source.dynamic || source.notes?.().some(({ kind }) => kind === 'failed')
  if (mayCome) return missing.map((name) => ({ kind: 'unknown-name', list, name }))
  throw new ToolRegistrationError(`${list}: there is no tool "${first}". ${nameHint(first, known)}`)
}
