import { Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { everyProjection } from '../../support/dialects/every-projection.ts'
import { generatedTools } from '../../support/dialects/generated-schemas.ts'
import { runs } from '../../support/runs.ts'

/** Losses after which not every value of the tool fits what is sent. */
const narrower = /of any type|items behind|too large|within itself/

it('of 500 tools every provider takes each, and what is sent to one comes back valid', () => {
  const strict = { 'OpenAI strict': 0, 'Anthropic strict': 0 }
  const check = fc.property(generatedTools, ({ definition, inputs }) => {
    const before = JSON.stringify(definition)
    const own = validator(definition.inputSchema)
    for (const [name, project] of Object.entries(everyProjection)) {
      const { projection, faults, schema } = project(definition)
      expect({ name, faults }).toEqual({ name, faults: [] })
      if (name in strict && projection.report[0]?.lost !== 'strict mode')
        strict[name as keyof typeof strict] += 1
      const wire = validator(withNullable(schema))
      const isExact = !projection.report.some(({ lost }) => narrower.test(lost))
      for (const input of inputs) {
        expect(own.validate(input).valid).toBe(true)
        const encoded = projection.encode(input)
        if (isExact) expect({ name, errors: wire.validate(encoded).errors }).toEqual({ name, errors: [] })
        const decoded = projection.decode(structuredClone(encoded))
        expect({ name, errors: own.validate(decoded).errors }).toEqual({ name, errors: [] })
        if (name !== 'OpenAI strict') expect({ name, decoded }).toEqual({ name, decoded: input })
      }
    }
    expect(JSON.stringify(definition)).toBe(before)
  })
  fc.assert(check, { numRuns: runs(500) })
  // Else nothing would be tried of them.
  for (const count of Object.values(strict)) expect(count).toBeGreaterThan(100)
})

// It writes into the schema that it is given.
function validator(schema: unknown): Validator {
  return new Validator(structuredClone(schema) as object, '2020-12')
}

/** Gemini's `nullable` as JSON Schema says it. */
function withNullable(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withNullable)
  if (typeof node !== 'object' || node === null) return node
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(node).map(([key, member]) => [key, withNullable(member)]),
  )
  return nullable === true ? { anyOf: [rest, { type: 'null' }] } : rest
}
