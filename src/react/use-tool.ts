import { useEffect, useInsertionEffect, useReducer, useState } from 'react'
import type { ToolRegistry } from '../execution/tool-registry.ts'
import type { RunContext } from '../tool/run-context.ts'
import type { StandardSchema } from '../tool/standard-schema.ts'
import type { FunctionToolOptions, InputOf } from '../tool/tool.ts'
import { PageTool, type RenderedTool } from './page-tool.ts'

/** The options of a tool whose body is given apart. */
export type PageToolOptions<Schema, Deps, Name extends string> = Omit<
  FunctionToolOptions<Schema, InputOf<Schema>, Deps, Name>,
  'execute'
>

/**
 * Gives the model a tool for as long as the component is mounted. A call runs `execute` as the newest render has it,
 * and ends after what it has changed was rendered, so that the next call sees it.
 *
 * It is registered once, and anew only when what the model sees of it changes: its name, description, schema or a
 * label. Keep the schema outside of the component; one that each render makes anew counts as the same while its JSON
 * Schema is the same. Two mounted components with one name are an error.
 *
 * @throws {@link ToolRegistrationError} into the nearest error boundary, as `tool()` and `register()` do.
 * @example
 * useTool(registry, { name: 'add_note', description: 'Add a note.', inputSchema: noteSchema }, ({ text }) => {
 *   setNotes([...notes, text])
 *   return `Note ${notes.length + 1} is there.`
 * })
 */
export function useTool<
  const Name extends string,
  Schema extends StandardSchema<unknown, unknown> | undefined = undefined,
  Deps = unknown,
>(
  registry: ToolRegistry,
  options: PageToolOptions<Schema, Deps, Name>,
  execute: (input: InputOf<Schema>, context: RunContext<Deps>) => unknown,
): void {
  const [, requestRender] = useReducer((count: number) => count + 1, 0)
  // The types of input and deps stay here: past this line a tool is a tool.
  const rendered = { options, execute } as unknown as RenderedTool
  const [pageTool] = useState(() => new PageTool(rendered, requestRender))
  // Before any other effect, so that nobody can call what an older render has left.
  useInsertionEffect(() => pageTool.rendered(rendered))
  useEffect(() => {
    pageTool.register(registry)
    return () => pageTool.remove()
  }, [pageTool, registry])
  useEffect(() => pageTool.register(registry))
}
