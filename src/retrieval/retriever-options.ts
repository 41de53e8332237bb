import { checkCount, checkOptions } from '../tool/check-options.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { type ModelTexts, modelTextsEn } from '../tool/model-texts.ts'
import { hasMethods, isStringList } from '../tool/value-kinds.ts'
import { checkPermissions, type ToolPermissions } from '../toolset/tool-permissions.ts'
import type { Embedder } from './embedder.ts'
import type { SearchableIndex, ToolHit } from './searchable-index.ts'

/**
 * Chooses among hits, which come most relevant first, up to 64: the ones to take, in the order in which to take them.
 * None of them is as if nothing had been found.
 */
export type HitSelector = (
  query: string,
  hits: readonly ToolHit[],
) => readonly ToolHit[] | Promise<readonly ToolHit[]>

/** What `ToolRetriever` takes beside the source. */
export interface ToolRetrieverOptions {
  /** How many tools are taken beside those that always are. @default 8 */
  readonly topK?: number
  /**
   * How many tokens their schemas may take together, those that are always taken included; about, see
   * `estimateTokens`. A tool that would pass it is left out, and a smaller one behind it may fit. @default no limit
   */
  readonly maxSchemaTokens?: number
  /** Names of tools that are always taken, first of all. @default none */
  readonly alwaysInclude?: readonly string[]
  /** What is taken when nothing was found: all, at most 128; those that always are; or nothing. @default 'all' */
  readonly onEmpty?: 'all' | 'always-include' | 'none'
  /** Chooses among the hits, instead of `topK`. */
  readonly selector?: HitSelector
  /** Which tools may be found at all. An agent's own permissions count beside these. @default all */
  readonly permissions?: ToolPermissions
  /** Makes tools count that mean what is asked for in other words. Not together with `index`. @default words alone */
  readonly embed?: Embedder
  /** Where to search, for example in a worker; whoever made it closes it. @default a `ToolIndex` of its own, on the page */
  readonly index?: SearchableIndex
  /** Sentences of `descriptionFor` that replace the English ones. */
  readonly texts?: Partial<ModelTexts>
}

const optionNames = [
  ...['topK', 'maxSchemaTokens', 'alwaysInclude', 'onEmpty', 'selector', 'embed'],
  ...['permissions', 'index', 'texts'],
]

/** Throws a {@link ToolRegistrationError} for options that cannot work. */
export function checkRetrieverOptions(options: ToolRetrieverOptions, where: string): void {
  checkOptions(options, optionNames, where)
  const { topK, maxSchemaTokens, alwaysInclude, onEmpty, selector, embed } = options
  const { permissions, index, texts } = options
  checkCount(topK, 1, `${where}, topK`)
  checkCount(maxSchemaTokens, 1, `${where}, maxSchemaTokens`)
  checkPermissions(permissions, where)
  if (alwaysInclude !== undefined && !isStringList(alwaysInclude)) {
    throw new ToolRegistrationError(`${where}, alwaysInclude: expected a list of tool names.`)
  }
  if (onEmpty !== undefined && !['all', 'always-include', 'none'].includes(onEmpty)) {
    throw new ToolRegistrationError(`${where}, onEmpty: expected "all", "always-include" or "none".`)
  }
  if (selector !== undefined && typeof selector !== 'function') {
    throw new ToolRegistrationError(`${where}, selector: expected a function, (query, hits) => hits to take.`)
  }
  if (index !== undefined && !hasMethods(index, 'update', 'search', 'close')) {
    throw new ToolRegistrationError(
      `${where}, index: expected an index with update(), search() and close(), such as new ToolIndex().`,
    )
  }
  if (embed !== undefined && !hasMethods(embed, 'embed')) {
    throw new ToolRegistrationError(
      `${where}, embed: expected an object with a method embed(texts, { signal }) that gives vectors.`,
    )
  }
  if (embed !== undefined && index !== undefined) {
    throw new ToolRegistrationError(`${where}: give the embedder to the index, or leave out the index.`)
  }
  if (texts !== undefined) checkOptions(texts, Object.keys(modelTextsEn), `${where}, texts`)
}
