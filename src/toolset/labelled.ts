import { checkOptions } from '../tool/check-options.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { copyJson, deepFreeze, firstIssue, type JsonObject } from '../tool/json-value.ts'
import { labelRules } from '../tool/option-rules.ts'
import type { ToolDefinition, ToolLabels } from '../tool/tool-definition.ts'
import { isRecord } from '../tool/value-kinds.ts'
import { checkNames } from './known-names.ts'
import { relist } from './listed-tool.ts'
import { mapped, unchanged } from './mapped.ts'
import {
  checkSelector,
  namesIn,
  type OfferedName,
  selectedOrThrow,
  type ToolSelector,
} from './tool-selector.ts'
import type { ToolSource } from './tool-source.ts'

/** What {@link labelled} sets. */
export interface ToolsetLabels extends Partial<ToolLabels> {
  /** For the app, and for selectors; never sent to a model. A tool's own metadata wins, key by key. */
  readonly metadata?: JsonObject
}

/**
 * A source some of whose tools have other labels, or metadata in addition. A label replaces what the tool says,
 * also where the tool decides it per input.
 *
 * @throws {@link ToolRegistrationError} for a label that cannot be, or what is no selector; from `list`, when a
 * tool is named that is not there, or the selector throws.
 */
export function labelled<Source extends ToolSource, Deps = unknown>(
  source: Source,
  labels: ToolsetLabels,
  selector: ToolSelector<OfferedName<Source>, Deps> = 'all',
): ToolSource {
  const where = 'labelled()'
  const { metadata, ...values } = readToolsetLabels(labels, where)
  checkSelector(selector, where)
  return mapped(
    source,
    async (tools, context, child) => {
      const notes = checkNames(where, namesIn(selector), tools, child)
      const verdicts = await selectedOrThrow(selector, tools, context, where)
      const all = tools.map((inner, index) => {
        if (!verdicts[index]) return unchanged(inner)
        const { definition } = inner
        const shown = { ...definition, labels: { ...definition.labels, ...values } }
        return { tool: relist(inner, withMetadata(shown, metadata)), inner }
      })
      return { tools: all, notes }
    },
    { perStep: typeof selector === 'function' },
  )
}

function withMetadata(definition: ToolDefinition, metadata: JsonObject | undefined): ToolDefinition {
  return metadata === undefined
    ? definition
    : { ...definition, metadata: { ...metadata, ...definition.metadata } }
}

const anObject = { accepts: isRecord, expected: 'an object' }

/** A frozen copy: labels are for the gate, and must not change behind it. */
function readToolsetLabels(labels: unknown, where: string): ToolsetLabels {
  checkOptions(labels, [...Object.keys(labelRules), 'metadata'], where)
  const { value, issues } = copyJson(labels)
  if (issues !== undefined) {
    throw new ToolRegistrationError(`${where}: labels are values here, not JSON ${firstIssue(issues)}.`)
  }
  const copy = value as unknown as Record<string, unknown>
  for (const [name, { accepts, expected }] of Object.entries({ ...labelRules, metadata: anObject })) {
    if (copy[name] === undefined || accepts(copy[name])) continue
    throw new ToolRegistrationError(`${where}, ${name}: expected ${expected}.`)
  }
  return deepFreeze(copy) as ToolsetLabels
}
