import { afterEach, describe, expect, test } from 'vitest'
import {
  type GuardedServer,
  type GuardOptions,
  startGuardedServer,
} from '../../conformance/guarded-server.ts'
import { play } from '../../conformance/play.ts'
import { pretendPage } from '../../conformance/pretend-page.ts'
import { type LabServer, type LabServerOptions, startLabServer } from '../../support/mcp/lab-server.ts'
import { textResult } from '../../support/mcp/lab-tools.ts'

/**
 * What the required scenarios of the protocol's own suite ask of a client, without the suite: `npm run conformance` runs
 * that one, against the same client program.
 */

const stage = pretendPage()
const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

async function playLab(name: string, options: LabServerOptions = {}): Promise<LabServer> {
  const lab = await startLabServer(options)
  open.push(lab)
  await play({ name, url: lab.url, context: {} }, stage)
  return lab
}

async function guarded(options: GuardOptions = {}): Promise<GuardedServer> {
  const server = await startGuardedServer(options)
  open.push(server)
  return server
}

async function playGuarded(options: GuardOptions = {}, context = {}): Promise<GuardedServer> {
  const server = await guarded(options)
  await play({ name: 'auth/any', url: server.url, context }, stage)
  return server
}

describe('a server', () => {
  test('is told who the client is and which revision it speaks, and that it is ready', async () => {
    const lab = await playLab('initialize')
    expect(lab.of('initialize')[0]?.message?.params).toMatchObject({
      protocolVersion: '2025-11-25',
      clientInfo: { name: 'offstage', version: expect.any(String) },
    })
    expect(lab.of('notifications/initialized')[0]?.headers['mcp-protocol-version']).toBe('2025-11-25')
  })

  test('has its tool called with the arguments', async () => {
    const tool = { name: 'add_numbers', inputSchema: { type: 'object' } }
    const lab = await playLab('tools_call', { tools: [{ definition: tool, call: () => textResult('8') }] })
    expect(lab.of('tools/call').map(({ message }) => message?.params)).toMatchObject([
      { name: 'add_numbers', arguments: { a: 5, b: 3 } },
    ])
  })

  test('gets the defaults of a form that a person sends as it is', async () => {
    const defaults = { name: 'John Doe', age: 30, score: 95.5, status: 'active', verified: true }
    const properties = Object.fromEntries(
      Object.entries(defaults).map(([key, value]) => [key, { type: typeof value, default: value }]),
    )
    const answers: unknown[] = []
    await playLab('elicitation-sep1034-client-defaults', {
      tools: [
        {
          definition: { name: 'test_client_elicitation_defaults', inputSchema: { type: 'object' } },
          call: async (_input, { ask }) => {
            const requestedSchema = { type: 'object', properties, required: [] }
            answers.push(await ask('elicitation/create', { message: 'Who?', requestedSchema }))
            return textResult('ok')
          },
        },
      ],
    })
    expect(answers).toEqual([{ action: 'accept', content: defaults }])
  })

  test('that hangs up in a call is asked for the rest, after the time that it said', async () => {
    // Longer than a client waits that does not read it.
    const retryMs = 1_500
    let hungUpAt = 0
    const back: { readonly afterMs: number; readonly lastEventId: unknown }[] = []
    await playLab('sse-retry', {
      eventStore: true,
      tools: [
        {
          definition: { name: 'test_reconnection', inputSchema: { type: 'object' } },
          call: async (_input, call) => {
            hungUpAt = performance.now()
            call.hangUp(retryMs)
            await new Promise((resolve) => setTimeout(resolve, 100))
            return textResult('the rest')
          },
        },
      ],
      handle: ({ method, headers }) => {
        const lastEventId = headers['last-event-id']
        if (method === 'GET' && lastEventId !== undefined)
          back.push({ afterMs: performance.now() - hungUpAt, lastEventId })
        return false
      },
    })
    expect(back).toEqual([{ afterMs: expect.any(Number), lastEventId: expect.any(String) }])
    // Timers are a little early at times.
    expect(back[0]?.afterMs).toBeGreaterThan(retryMs - 50)
  })
})

describe('who gives access is found', () => {
  test.each<[string, GuardOptions]>([
    ['where the refusal points, below the path of the server', {}],
    [
      'below the path of the server without being told, and at an OpenID provider',
      { pointsThere: false, metadataPath: '/.well-known/openid-configuration' },
    ],
    [
      'at the root of the server, and at an authorization server with a path',
      {
        pointsThere: false,
        resourcePath: '/.well-known/oauth-protected-resource',
        issuerPath: '/tenant1',
        metadataPath: '/.well-known/oauth-authorization-server/tenant1',
      },
    ],
    [
      'at any place that the refusal points to, and at an OpenID provider with a path',
      {
        resourcePath: '/custom/metadata/location.json',
        issuerPath: '/tenant1',
        metadataPath: '/tenant1/.well-known/openid-configuration',
      },
    ],
  ])('%s', async (_where, options) => {
    const server = await playGuarded(options)
    expect(server.registrations).toHaveLength(1)
    expect(server.authorizations).toMatchObject([{ code_challenge_method: 'S256', resource: server.url }])
    expect(server.grants).toMatchObject([{ resource: server.url }])
    const root = '/.well-known/oauth-protected-resource'
    // A server says first where its metadata is; only then is guessed.
    if (options.pointsThere !== false) expect(server.paths()).not.toContain(root)
  })
})

describe('a client is known to the authorization server', () => {
  test('by the address of its document, where such are read', async () => {
    const server = await playGuarded({ metadata: { client_id_metadata_document_supported: true } })
    expect(server.registrations).toEqual([])
    expect(server.authorizations).toMatchObject([
      { client_id: 'https://conformance-test.local/client-metadata.json' },
    ])
  })

  test('as what it was registered beforehand', async () => {
    const server = await playGuarded(
      { tokenAuth: 'client_secret_basic', metadata: { registration_endpoint: undefined } },
      { client_id: 'known', client_secret: 'hidden' },
    )
    expect(server.grants).toMatchObject([{ basic: 'known:hidden' }])
  })

  test.each([
    ['none', { client_id: 'registered' }],
    ['client_secret_basic', { basic: 'registered:secret' }],
    ['client_secret_post', { client_id: 'registered', client_secret: 'secret' }],
  ] as const)('in the way that it takes: %s', async (tokenAuth, shown) => {
    const { grants } = await playGuarded({ tokenAuth })
    expect(grants).toMatchObject([shown])
    const kept = ['basic', 'client_secret'].filter((name) => name in (grants[0] ?? {}))
    expect(kept).toEqual(['basic', 'client_secret'].filter((name) => name in shown))
  })
})

describe('the scopes that a person is asked for', () => {
  test('are those of the refusal, before those that the server offers', async () => {
    const server = await playGuarded({ scopeOf: () => 'mcp:basic', scopesSupported: ['mcp:other'] })
    expect(server.authorizations.map(({ scope }) => scope)).toEqual(['mcp:basic'])
  })

  test('are all that the server offers, when the refusal names none', async () => {
    const server = await playGuarded({ scopesSupported: ['mcp:basic', 'mcp:read', 'mcp:write'] })
    expect(server.authorizations.map(({ scope }) => scope)).toEqual(['mcp:basic mcp:read mcp:write'])
  })

  test('are left out, when nobody names any', async () => {
    const server = await playGuarded()
    expect(server.authorizations).toHaveLength(1)
    expect(server.authorizations[0]).not.toHaveProperty('scope')
  })

  test('become more when a call needs more', async () => {
    const scopeOf = (method: string) => (method === 'tools/call' ? 'mcp:write' : 'mcp:basic')
    const server = await playGuarded({ scopeOf, scopesSupported: ['mcp:profile'] })
    expect(server.authorizations.map(({ scope }) => scope?.split(' ').includes('mcp:write'))).toEqual([
      false,
      true,
    ])
  })

  test('are not asked for in a circle by a server that gives nothing for them', async () => {
    const server = await guarded({ scopeOf: () => 'mcp:admin', givesNothing: true })
    let clicks = 0
    const inClick: typeof stage.inClick = (run) => {
      clicks += 1
      return run()
    }
    const played = play({ name: 'auth/any', url: server.url, context: {} }, { ...stage, inClick })
    await expect(played).rejects.toMatchObject({ code: 'needs-authorization' })
    // However often a server refuses: a person is led there only after a click.
    expect(clicks).toBe(3)
    expect(server.authorizations).toHaveLength(clicks)
  })
})
