import { describe, expect, test } from 'vitest'
import { patternRisk } from '../../../../src/mcp/definitions/pattern-risk.ts'

// As zod writes them into the schemas of many servers.
const email =
  "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$"
const uuid =
  '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000)$'
const date =
  '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))$'

describe('patternRisk', () => {
  test.each([
    ...[email, uuid, date, '', '^$', 'foo', '^[a-z]+$', '^[a-z0-9]+(-[a-z0-9]+)*$', '^(\\/[\\w-]+)+\\/?$'],
    ...['^(\\d{1,3}\\.){3}\\d{1,3}$', '^\\d{4}\\d{2}\\d{2}$', '^https?:\\/\\/.+', '^.*foo', '\\p{L}+'],
    ...['^\\s*\\S+\\s*$', '^(?:(?!foo).)*$', '^[^@]+@[^@]+$', '^[-+]?\\d*\\.?\\d+(?:[eE][-+]?\\d+)?$'],
    ...['^(?<year>\\d{4})$', '^#?([a-f0-9]{6}|[a-f0-9]{3})$', '^[\\u{1F300}-\\u{1F5FF}\\x41]\\n$'],
  ])('%s may be tried on anything', (pattern) => {
    expect(patternRisk(pattern)).toBeUndefined()
  })

  test.each([
    ...['(a+)+$', '^(a*)*b', '^(a|a)*$', '^(a|ab)*c$', '^(\\w+\\s?)*$', '^(([a-z])+.)+[A-Z]([a-z])+$'],
    ...['^(.*a){20}$', 'a?'.repeat(30) + 'a'.repeat(30), `^${'(a|a)'.repeat(30)}$`, '^(?:a|a){30}$'],
    ...['^(?:[a-z]{1,60}){1,60}$', '^.+@.+\\..+$', '.*.*.*x', '^(a?){50}a{50}$', '^([a-z]+)*\\d$'],
    ...['^(?:(?=.*x).)*$', '^(a)\\1$', `^${'a'.repeat(1001)}$`, '(', '^[\\w.]+\\@$', '^(?:\\w|\\d)+$'],
    ...['^[ab]*[ab]*@c*[cd]*$', '^(?:x|(?:y+)+)+$', `^${'(?:|)'.repeat(60)}x$`, '(?:\\b|\\B)*x'],
  ])('%s is not tried', (pattern) => {
    expect(patternRisk(pattern)).toMatch(/^(?:it is|some texts) /)
  })

  test('patterns that are accepted are done soon with texts made to take long', () => {
    const hard = ['a', '0', 'a.', '-', '/a', '@', 'a@a.', ' ', '1.', 'ab'].flatMap((unit) => [
      `${unit.repeat(3000)}\n`,
      `${unit.repeat(3000)}!`,
    ])
    for (const pattern of [
      email,
      uuid,
      date,
      '^[a-z0-9]+(-[a-z0-9]+)*$',
      '^(\\/[\\w-]+)+\\/?$',
      '^\\s*\\S+\\s*$',
    ]) {
      // Would be busy for years, if one of them were wrong.
      for (const text of hard) expect(new RegExp(pattern, 'u').test(text)).toBeTypeOf('boolean')
    }
  })
})
