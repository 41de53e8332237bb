import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { clientOf } from './lab.ts'

async function serverThat(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it.each<[string, RequestListener]>([
  ['an error', (_request, response) => response.writeHead(500).end('no')],
  ['a wish to know who calls', (_request, response) => response.writeHead(401).end()],
  ['a redirect', (request, response) => response.writeHead(307, { location: request.url }).end()],
  ['no JSON-RPC', (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('hi')],
  ['a broken connection', (_request, response) => response.destroy()],
  ['nothing at all', () => {}],
])('a key in an address is in no message of a server that answers with %s', async (name, answer) => {
  const url = `${await serverThat(answer)}/mcp?key=wheel-9731`
  const client = clientOf({ url }, { timeoutMs: name === 'nothing at all' ? 400 : 20_000 })
  const error: unknown = await client.connect().catch((error: unknown) => error)
  expect(error).toBeInstanceOf(Error)
  expect(`${error} ${JSON.stringify([client.status, client.notes()])}`).not.toContain('wheel-9731')
})
