import { describe, expect, it } from 'vitest'
import { ToolRegistry } from '../../../../src/execution/tool-registry.ts'
import { CalculatorTool } from '../../../../src/tools/calculator/calculator-tool.ts'
import { hCases } from './h-cases.ts'

const registry = new ToolRegistry()
registry.register(new CalculatorTool())

describe('CalculatorTool', () => {
  it.each(hCases)('$id: answers $input', async ({ input, expected }) => {
    const prototypeBefore = Object.getOwnPropertyNames(Object.prototype)
    const start = performance.now()
    const { outcome, response } = await registry.executeTool('calculator', { expression: input })
    // A hang guard, forty times the promise of 50 ms.
    expect(performance.now() - start).toBeLessThan(2000)
    if ('value' in expected) {
      expect(response).toMatchObject({ status: 'success', text: expected.value })
    } else {
      expect(outcome).toBe('error')
      expect(response.status).toBe('error')
      expect(response.text).toMatch(expected.error)
    }
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototypeBefore)
  })
})
