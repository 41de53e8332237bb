import { outsideRun, type StepContext } from '../tool/step-context.ts'
import { checkedOptions, type DynamicOptions, readKey } from './dynamic-options.ts'
import { keyedCache } from './keyed-cache.ts'
import { lastRead } from './last-read.ts'
import { type Made, makeTools, type ToolFactory } from './made-tools.ts'
import { mappedInstance, unchanged } from './mapped.ts'
import { routed } from './routed.ts'
import { closeAll, closeMade, sourceForRun, sourceForStep } from './source-instance.ts'
import type { ToolSource } from './tool-source.ts'

/** A source whose tools a factory makes. */
export interface DynamicSource extends ToolSource {
  /** Forgets what is cached; with `close` also closes the sources among it, each once, also while a run uses them. */
  clear(options?: { readonly close?: boolean }): Promise<void>
}

/**
 * A source whose tools a factory makes for each run, or for each step. Runs that ask at the same time under one
 * key of the cache share one call of the factory; a call that fails is not kept. Outside any run the factory is
 * asked for each list, with a context that has no `deps`.
 *
 * @throws {@link ToolRegistrationError} for an option that cannot be; from `forRun`, `forStep` or `list`, when the
 * factory gives what holds no tools. What the factory throws comes out there too.
 * @example dynamic(({ deps }) => (deps.user.isAdmin ? [readTool, deleteTool] : [readTool]))
 */
export function dynamic<Deps = unknown>(
  factory: ToolFactory<Deps>,
  options: DynamicOptions<Deps> = {},
): DynamicSource {
  const { per = 'run', cache, closes = false } = checkedOptions(factory, options as DynamicOptions<never>)
  const made = keyedCache<Made>(cache?.ttlMs ?? 0, cache?.maxEntries ?? 0)
  const get = async (context: StepContext): Promise<Made> => {
    const key = cache === undefined ? undefined : await readKey(cache, context)
    const makeNow = () =>
      makeTools(factory as ToolFactory<never>, context, 'dynamic(), what the factory gave')
    return key === undefined ? makeNow() : made.get(key, makeNow)
  }
  const outside = lastRead(() => get(outsideRun))
  // What is closed in the end must not pile up with each list.
  const list = closes ? outside.last : outside.read
  const self: DynamicSource = {
    reportsStart: true,
    dynamic: true,
    list: async () => (await list()).source.list(),
    preflight: (name, input, given) =>
      routed(name, outside.last, ({ source }) => source.preflight(name, input, given)),
    call: (name, input, given) => routed(name, outside.last, ({ source }) => source.call(name, input, given)),
    notes: () => outside.peek()?.source.notes?.() ?? [],
    forRun: async (context) =>
      per === 'step' ? self : openMade(await get(context), [sourceForRun], context, closes),
    forStep: async (context) => openMade(await get(context), [sourceForRun, sourceForStep], context, closes),
    clear: async ({ close = false } = {}) => {
      const all = await Promise.allSettled(made.clear())
      if (!close) return
      await closeParts(all.flatMap((each) => (each.status === 'fulfilled' ? each.value.parts : [])))
    },
    close: async () => {
      if (closes) await closeParts(outside.peek()?.parts ?? [])
    },
  }
  return self
}

async function closeParts(parts: readonly ToolSource[]): Promise<void> {
  await closeAll(Array.from(new Set(parts), (part) => part.close?.()))
}

/** The made source as one run or step sees it. */
async function openMade(
  made: Made,
  openings: readonly (typeof sourceForRun)[],
  context: StepContext,
  closes: boolean,
): Promise<ToolSource> {
  const opened = [made.source]
  const close = async () => {
    const instances = opened.map((each, index) => closeMade(each, opened[index - 1] ?? each))
    await closeAll([...instances, ...(closes ? [closeParts(made.parts)] : [])])
  }
  try {
    for (const open of openings) opened.push(await open(opened.at(-1) ?? made.source, context))
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
  const source = opened.at(-1) ?? made.source
  return mappedInstance(source, (tools) => ({ tools: tools.map(unchanged) }), { hides: true }, context, close)
}
