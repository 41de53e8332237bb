import { expect, test } from 'vitest'
import { safeAddress } from '../../../../src/mcp/oauth/safe-address.ts'

test.each([
  'https://a.example/authorize?x=1',
  'http://127.0.0.1:8080/x',
  'http://localhost/x',
  'http://[::1]:1/x',
])('%s may be opened', (address) => {
  expect(safeAddress(address, 'place').href).toBe(new URL(address).href)
})

test.each([
  ...[
    'file:///x',
    'javascript:alert(1)',
    'http://a/$(id)',
    'ms-x:y',
    'data:text/html,x',
    'blob:https://a.example/1',
  ],
  ...[
    'http://127.0.0.1.evil.example/',
    'http://localhost.evil.example/',
    'ws://127.0.0.1/',
    '//a.example',
    '',
  ],
  ...['https://user:secret@a.example/', 'about:blank', 'view-source:https://a.example/'],
])('I15: %s may not', (address) => {
  expect(() => safeAddress(address, 'place')).toThrow(
    expect.objectContaining({ code: 'unsafe-address', message: expect.not.stringContaining('secret') }),
  )
})
