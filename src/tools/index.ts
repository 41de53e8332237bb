export {
  type CalculatorProblem,
  type CalculatorTexts,
  calculatorTextsEn,
  calculatorTextsZh,
} from './calculator/calculator-texts.ts'
export { CalculatorTool, type CalculatorToolOptions } from './calculator/calculator-tool.ts'
