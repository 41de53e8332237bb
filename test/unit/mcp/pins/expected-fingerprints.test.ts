import { describe, expect, test } from 'vitest'
import { checkExpected, fingerprintMismatch } from '../../../../src/mcp/pins/expected-fingerprints.ts'
import { after, before, serverTool } from './pinned-tools.ts'

describe('checkExpected', () => {
  test('the expected tools are taken, in any order and case', async () => {
    const [send, read] = [await serverTool('send', before), await serverTool('read', 'Reads.')]
    const expected = { read: read.fingerprint.toUpperCase(), send: send.fingerprint }
    expect(fingerprintMismatch([send, read], expected)).toBeUndefined()
    checkExpected([send, read], expected, 'mail')
  })

  test('a changed, a missing and an unexpected tool are all listed', async () => {
    const [send, extra] = [await serverTool('send', after), await serverTool('ex\u200Btra', 'Extra.')]
    const expected = { send: (await serverTool('send', before)).fingerprint, read: 'a'.repeat(64) }
    expect(fingerprintMismatch([send, extra], expected)).toEqual({
      changed: ['send'],
      missing: ['read'],
      unexpected: ['ex\u200Btra'],
    })
    const refused = () => checkExpected([send, extra], expected, 'mail')
    expect(refused).toThrow(expect.objectContaining({ name: 'ToolError', code: 'fingerprint-mismatch' }))
    expect(refused).toThrow(`"send" is another one (${send.fingerprint}); "read" is missing`)
    expect(refused).toThrow(`"ex\\u200btra" is not expected (${extra.fingerprint})`)
  })

  test('nothing is expected of a name that every object has', async () => {
    expect(fingerprintMismatch([await serverTool('constructor', before)], {})?.unexpected).toEqual([
      'constructor',
    ])
  })

  test('a page that can make no fingerprints says so', async () => {
    const send = { ...(await serverTool('send', before)), fingerprint: '{"name":"send"}' }
    expect(() => checkExpected([send], { send: 'a'.repeat(64) }, 'mail')).toThrow(/no secure context/)
  })
})
