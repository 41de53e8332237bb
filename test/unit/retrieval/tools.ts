import { type IndexedTool, type IndexSearchOptions, ToolIndex } from 'offstage/retrieval'
import { onTestFinished } from 'vitest'

/** A tool of an index, by what matters to a test. */
export function indexed(
  name: string,
  description: string,
  { namespace, parameters = {}, examples, fingerprint = '1' }: IndexedParts = {},
): IndexedTool {
  const inputSchema = { type: 'object', properties: parameters } as const
  return {
    definition: { name, description, inputSchema, ...(examples && { examples }) },
    fingerprint,
    ...(namespace !== undefined && { namespace }),
  }
}

type Schema = IndexedTool['definition']['inputSchema']

interface IndexedParts {
  readonly namespace?: string
  readonly parameters?: Schema
  readonly examples?: readonly string[]
  readonly fingerprint?: string
}

/** An index that holds these tools and is closed when the test ends. */
export async function indexOf(...tools: readonly IndexedTool[]): Promise<ToolIndex> {
  const index = new ToolIndex()
  onTestFinished(() => index.close())
  await index.update(tools)
  return index
}

/** The names that are found, best first. */
export async function found(
  index: ToolIndex,
  query: string,
  options?: IndexSearchOptions,
): Promise<string[]> {
  return (await index.search(query, options)).map(({ name }) => name)
}

/** Tools about many things, none of them mail, weather or drawing. */
export function manyTools(count: number): IndexedTool[] {
  const verbs = ['list', 'open', 'copy', 'share', 'print', 'delete', 'rename', 'archive', 'export', 'lock']
  const things = ['invoice', 'folder', 'ticket', 'report', 'contract', 'photo', 'album', 'budget', 'parcel']
  const places = ['warehouse', 'ledger', 'museum', 'office', 'archive', 'school', 'garage']
  return Array.from({ length: count }, (_, number) => {
    const verb = verbs[number % verbs.length] as string
    const thing = things[Math.floor(number / verbs.length) % things.length] as string
    const place = places[Math.floor(number / 90) % places.length] as string
    return indexed(`${verb}_${thing}_${number}`, `Can ${verb} a ${thing} of the ${place}.`)
  })
}
