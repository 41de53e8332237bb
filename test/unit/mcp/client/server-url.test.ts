import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkServerUrl, isLoopback } from '../../../../src/mcp/server-url.ts'

const check = (url: unknown, allow = false) => checkServerUrl(url, allow, 'new MCPClient(), "files"').href

it.each([
  'https://example.com/mcp',
  'http://127.0.0.1:3000/mcp',
  'http://127.1:3000/mcp',
  'http://2130706433/mcp',
  'http://[::1]:3000/mcp',
  'http://localhost:3000/mcp',
  'http://LOCALHOST/mcp',
  'http://localhost./mcp',
  'http://files.localhost/mcp',
  'http://127.255.0.9/mcp',
])('takes %s', (url) => {
  expect(check(url)).toBe(new URL(url).href)
  expect(check(new URL(url))).toBe(new URL(url).href)
})

it.each([
  'http://example.com/mcp',
  'http://192.168.1.4/mcp',
  'http://0.0.0.0/mcp',
  'http://128.0.0.1/mcp',
  'http://127.0.0.1.example.com/mcp',
  'http://localhost.example.com/mcp',
  'http://notlocalhost/mcp',
  'http://[::ffff:127.0.0.1]/mcp',
  'http://[::2]/mcp',
])('takes plain http to another machine only when that is allowed: %s', (url) => {
  expect(() => check(url)).toThrow(
    /new MCPClient\(\), "files": url is plain http .* allowInsecureHttp: true/s,
  )
  expect(check(url, true)).toBe(new URL(url).href)
})

it.each(['ws://localhost/mcp', 'file:///mcp', 'javascript:alert(1)', 'data:,x', 'blob:https://a.b/c'])(
  'refuses the scheme of %s, also when plain http is allowed',
  (url) => {
    expect(() => check(url, true)).toThrow(/url has the scheme "\w+:"/)
  },
)

it.each(['https://ada:hunter2@example.com/mcp', 'https://:hunter2@example.com', 'http://hunter2@localhost/'])(
  'refuses an address with credentials, and does not repeat them: %s',
  (url) => {
    expect(() => check(url)).toThrow(/user name or a password/)
    expect(() => check(url)).not.toThrow(/hunter2/)
  },
)

it.each([undefined, null, 7, {}, '', '/mcp', 'example.com/mcp', 'https://', 'https://ada:hunter2@'])(
  'refuses %j, which is no whole address',
  (url) => {
    expect(() => check(url)).toThrow(/whole address of the server/)
    expect(() => check(url)).not.toThrow(/hunter2/)
  },
)

it('refuses a fragment, which no server gets', () => {
  expect(() => check('https://example.com/mcp#token=hunter2')).toThrow(/fragment/)
  expect(() => check('https://example.com/mcp#token=hunter2')).not.toThrow(/hunter2/)
})

it('takes each address of 127.0.0.0/8 for this machine, and no other IPv4 address', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const { hostname } = new URL(`http://${address}/`)
      expect(isLoopback(hostname)).toBe(hostname.split('.')[0] === '127')
    }),
  )
})
