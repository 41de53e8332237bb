import { tool } from 'offstage'
import * as v from 'valibot'

/** What worker tools may see of the agent's `deps`. */
export interface Deps {
  readonly settings: { readonly a: number }
}

/** Says what reached the worker: its input, and the settings in `deps`. */
export const describeSettings = tool({
  name: 'describe_settings',
  description: 'Say which settings the tool got.',
  inputSchema: v.object({ a: v.number() }),
  parallelSafe: true,
  effect: 'none',
  execute: (input, { deps }: { deps?: Deps }) =>
    `input ${JSON.stringify(input)}, deps ${JSON.stringify(deps)}`,
})
