import { onMount } from 'svelte'
import type { ToolRegistry } from '../execution/tool-registry.ts'
import type { StandardSchema } from '../tool/standard-schema.ts'
import { type FunctionToolOptions, type InputOf, tool } from '../tool/tool.ts'
import { plainCopy } from './plain-copy.ts'

/**
 * Gives the model a tool for as long as the component is mounted: call it while the component is set up, as
 * `onMount`. `execute` reads and sets the component's `$state` as it is at that time. What it returns is copied, so
 * that a `$state` object in it neither changes later nor fails to be cloned; what a generator yields is not.
 *
 * On a server nothing is registered. Two mounted components with one name are an error.
 *
 * @throws {@link ToolRegistrationError} when the component is mounted, as `tool()` and `register()` do.
 * @example
 * let notes = $state([])
 * useTool(registry, {
 *   name: 'add_note',
 *   description: 'Add a note.',
 *   inputSchema: noteSchema,
 *   execute: ({ text }) => {
 *     notes.push({ text })
 *     return notes
 *   },
 * })
 */
export function useTool<
  const Name extends string,
  Schema extends StandardSchema<unknown, unknown> | undefined = undefined,
  Deps = unknown,
>(registry: ToolRegistry, options: FunctionToolOptions<Schema, InputOf<Schema>, Deps, Name>): void {
  onMount(() =>
    registry.register(
      tool({
        ...options,
        execute: async (input, context) => plainCopy(await options.execute(input, context)),
      }),
    ),
  )
}
