import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Attempt } from '../../../../src/mcp/oauth/attempt.ts'
import { readAnswer } from '../../../../src/mcp/oauth/read-answer.ts'

const issuer = 'https://issuer.example'
const attempt: Attempt = {
  ...{
    state: 'offstage.s',
    verifier: 'v',
    address: `${issuer}/authorize`,
    server: 'https://server.example/mcp',
  },
  discovery: { authorizationServerUrl: `${issuer}/`, authorizationServerMetadata: { issuer } },
  ...{ client: {}, startedAtMs: 0 },
}

const read = (query: string, of = attempt) => readAnswer(new URLSearchParams(query), of)

test('the code of an answer with the right state is taken', () => {
  expect(read('code=c&state=offstage.s')).toBe('c')
  expect(read(`code=c&state=offstage.s&iss=${issuer}`)).toBe('c')
})

test.each([
  ['another state', 'code=c&state=offstage.t', 'state-mismatch'],
  ['no state', 'code=c', 'state-mismatch'],
  ['the state twice', 'code=c&state=offstage.s&state=offstage.s', 'state-mismatch'],
  ['an error with another state', 'error=access_denied&state=x', 'state-mismatch'],
  ['an error', 'error=access_denied&state=offstage.s', 'denied'],
  ['an error beside a code', 'code=c&error=access_denied&state=offstage.s', 'denied'],
  ['no code', 'state=offstage.s', 'bad-answer'],
  ['an empty code', 'code=&state=offstage.s', 'bad-answer'],
  ['two codes', 'code=c&code=d&state=offstage.s', 'bad-answer'],
  ['another issuer', 'code=c&state=offstage.s&iss=https://other.example', 'bad-answer'],
  ['an issuer that differs by a slash', `code=c&state=offstage.s&iss=${issuer}/`, 'bad-answer'],
  ['an error of another issuer', 'error=x&state=offstage.s&iss=https://other.example', 'bad-answer'],
])('an answer with %s is refused', (_what, query, code) => {
  expect(() => read(query)).toThrow(expect.objectContaining({ name: 'AuthorizationError', code }))
})

test('a server without metadata is compared with where it was found', () => {
  const plain = { ...attempt, discovery: { authorizationServerUrl: issuer } }
  expect(read(`code=c&state=offstage.s&iss=${issuer}`, plain)).toBe('c')
  expect(() => read('code=c&state=offstage.s&iss=https://other.example', plain)).toThrow()
})

test('what a server says of an error is one short line in the message', () => {
  const said = encodeURIComponent(`Line one\nline two\u202e ${'x'.repeat(5_000)}`)
  expect(() => read(`error=server_error&error_description=${said}&state=offstage.s`)).toThrow(
    expect.objectContaining({ message: expect.stringMatching(/^[^\n\u202e]{0,700}$/) }),
  )
})

test('whatever comes, only an answer with the state of the attempt gives a code', () => {
  const name = fc.constantFrom('code', 'state', 'iss', 'error', 'error_description', 'x')
  const value = fc.oneof(fc.constantFrom('offstage.s', issuer, 'c', ''), fc.string())
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 6 }), (pairs) => {
      const query = new URLSearchParams(pairs)
      try {
        const code = readAnswer(query, attempt)
        expect(query.getAll('state')).toEqual(['offstage.s'])
        expect(query.getAll('code')).toEqual([code])
        expect(query.has('error')).toBe(false)
      } catch (error) {
        expect(error).toMatchObject({ name: 'AuthorizationError' })
      }
    }),
  )
})
