import { ToolExecutor } from 'offstage'
import { MCPClient, memoryPinStore, oauth } from 'offstage/mcp'

/** A scenario of the suite, as its runner tells a client of it. */
export interface Scenario {
  readonly name: string
  /** Of the suite's server. */
  readonly url: string
  /** What else the scenario gives its client. */
  readonly context: Readonly<Partial<Record<'client_id' | 'client_secret' | 'issuer', string>>>
}

/** Where a scenario is played. */
export interface Stage {
  /** Where an authorization server leads back to. */
  readonly redirectUrl: string
  /** Runs this in a click of a person. */
  inClick(run: () => Promise<void>): Promise<void>
}

/** The suite knows this address, and reads no document there. */
const clientMetadataUrl = 'https://conformance-test.local/client-metadata.json'
/** A person signs in so often before they see that it leads nowhere. */
const mostSignIns = 3

/** The call of each scenario that has one; those for OAuth are alike. */
const calls: Readonly<Record<string, { readonly name: string; readonly input: object }>> = {
  tools_call: { name: 'suite_add_numbers', input: { a: 5, b: 3 } },
  'elicitation-sep1034-client-defaults': { name: 'suite_test_client_elicitation_defaults', input: {} },
  'sse-retry': { name: 'suite_test_reconnection', input: {} },
}

/** Plays a scenario as an app does: over the public doors of the library. */
export async function play({ name, url, context }: Scenario, stage: Stage): Promise<void> {
  const isAuth = name.startsWith('auth/')
  const client = new MCPClient({
    url,
    namespace: 'suite',
    needsApproval: false,
    pinStore: memoryPinStore(),
    // The person sends the form as it was shown.
    elicit: async () => ({ action: 'accept' }),
    ...(isAuth && {
      auth: oauth({ redirectUrl: stage.redirectUrl, clientMetadataUrl, ...clientOf(context) }),
    }),
  })
  const call = isAuth ? { name: 'suite_test-tool', input: {} } : calls[name]
  const executor = new ToolExecutor({ tools: [client] })
  try {
    await signingIn(client, stage, async () => {
      await client.connect()
      if (call === undefined) return
      const { outcome, response } = await executor.execute(call)
      if (outcome !== 'success') throw new Error(`${call.name}: ${outcome}: ${response.text}`)
    })
  } finally {
    await client.close()
  }
}

function clientOf({ client_id: clientId, client_secret: clientSecret, issuer }: Scenario['context']) {
  if (clientId === undefined) return {}
  return {
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(issuer !== undefined && { issuer }),
  }
}

/** Does something, and again each time that a person has signed in for it. */
async function signingIn(client: MCPClient, stage: Stage, run: () => Promise<void>): Promise<void> {
  for (let count = 0; ; count += 1) {
    try {
      if (count > 0) await stage.inClick(() => client.authorize())
      return await run()
    } catch (error) {
      if (client.status.state !== 'needs-authorization' || count === mostSignIns) throw error
    }
  }
}
