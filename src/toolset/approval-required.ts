import { ToolRegistrationError } from '../tool/errors.ts'
import type { JsonObject } from '../tool/json-value.ts'
import type { StepContext } from '../tool/step-context.ts'
import { within } from '../tool/time-limit.ts'
import { checkNames } from './known-names.ts'
import { type ListedTool, relist } from './listed-tool.ts'
import { mapped, unchanged } from './mapped.ts'
import type { MappedTool } from './mapped-tool.ts'
import { checkSelector, namesIn, type OfferedName, selected, type ToolSelector } from './tool-selector.ts'
import type { ToolSource } from './tool-source.ts'

/** A rule that is silent for longer counts as yes. In milliseconds. */
const silenceMs = 2_000

/** Whether a person is asked about this input. It was checked, and is frozen. */
export type ApprovalRule<Deps = unknown> = (
  input: JsonObject,
  tool: ListedTool,
  context: StepContext<Deps>,
) => boolean | Promise<boolean>

/**
 * A source for some of whose tools a person is asked first: always, or when a rule says so about the input. When in
 * doubt the person is asked: about a tool whose selector throws, and when the rule throws, is silent for 2 s or
 * gives anything but `false`. What the tools themselves want asked is asked all the same.
 *
 * @throws {@link ToolRegistrationError} for what is no selector or rule; from `list`, when a tool is named that is
 * not there: it would not be protected.
 * @example approvalRequired(source, 'delete_file')
 * @example approvalRequired(source, 'all', (input) => input.amount > 100)
 */
export function approvalRequired<Source extends ToolSource, Deps = unknown>(
  source: Source,
  selector: ToolSelector<OfferedName<Source>, Deps> = 'all',
  when?: ApprovalRule<Deps>,
): ToolSource {
  const where = 'approvalRequired()'
  checkSelector(selector, where)
  if (when !== undefined && typeof when !== 'function') {
    throw new ToolRegistrationError(
      `${where}: the rule must be a function, (input, tool, context) => boolean.`,
    )
  }
  return mapped(
    source,
    async (tools, context, child) => {
      const notes = checkNames(where, namesIn(selector), tools, child)
      const verdicts = await selected(selector, tools, context)
      const all = tools.map((inner, index) =>
        verdicts[index] === false ? unchanged(inner) : asking(inner, when as ApprovalRule<never>),
      )
      return { tools: all, notes }
    },
    { perStep: typeof selector === 'function' || when !== undefined },
  )
}

function asking(inner: ListedTool, when: ApprovalRule<never> | undefined): MappedTool {
  const { definition } = inner
  if (definition.needsApproval === true) return unchanged(inner)
  if (when === undefined) return { tool: relist(inner, { ...definition, needsApproval: true }), inner }
  const tool = relist(inner, { ...definition, needsApproval: 'by-input' })
  return { tool, inner, asks: (input, context) => applies(when, input, tool, context) }
}

async function applies(
  when: ApprovalRule<never>,
  input: JsonObject,
  tool: ListedTool,
  context: StepContext,
): Promise<boolean> {
  try {
    const answer = Promise.resolve(when(input, tool, context as StepContext<never>))
    // Anything but a plain `false` asks: `undefined` is more likely a forgotten return than a no.
    return (await within(answer, silenceMs, true)) !== false
  } catch {
    return true
  }
}
