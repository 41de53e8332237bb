import * as v from 'valibot'
import { checkOptions } from '../../tool/check-options.ts'
import { Tool } from '../../tool/tool.ts'
import { stampOrigin } from '../../tool/tool-origin.ts'
import { ToolResponse } from '../../tool/tool-response.ts'
import { calculate } from './calculate.ts'
import { type CalculatorTexts, calculatorTextsEn } from './calculator-texts.ts'

interface CalculatorInput {
  readonly expression: string
}

/** What {@link CalculatorTool} takes. */
export interface CalculatorToolOptions {
  /** Sentences that replace the English ones. */
  readonly texts?: Partial<CalculatorTexts>
}

/**
 * Computes arithmetic expressions: the tool `calculator` with one parameter, `expression`. Parallel-safe,
 * changes nothing. The text is the result; `data` is a number, or a bigint for a whole number beyond
 * 2^53. An expression that cannot be computed is an error response that says where and why.
 *
 * @example registry.register(new CalculatorTool())
 */
export class CalculatorTool extends Tool<CalculatorInput, unknown, 'calculator', CalculatorInput> {
  readonly #texts: CalculatorTexts

  constructor(options: CalculatorToolOptions = {}) {
    checkOptions(options, ['texts'], 'new CalculatorTool()')
    const texts = { ...calculatorTextsEn, ...options.texts }
    super({
      name: 'calculator',
      description: texts.toolDescription,
      inputSchema: v.object({ expression: v.pipe(v.string(), v.description(texts.expressionDescription)) }),
      parallelSafe: true,
      effect: 'none',
    })
    this.#texts = texts
    // A subclass is the app's own code.
    if (new.target === CalculatorTool) stampOrigin(this, 'builtin')
  }

  override execute({ expression }: CalculatorInput): ToolResponse {
    const result = calculate(expression, this.#texts)
    if ('error' in result) return ToolResponse.error(result.error)
    const { value, text } = result
    const isSafe =
      typeof value === 'bigint' && value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
    return ToolResponse.ok(text, { data: isSafe ? Number(value) : value })
  }
}
